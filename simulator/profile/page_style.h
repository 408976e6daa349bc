// File: page_style.h
//
// The style sheet of the profile's page, and its glossary.

#ifndef ANDREA_SIMULATOR_PROFILE_PAGE_STYLE_H_
#define ANDREA_SIMULATOR_PROFILE_PAGE_STYLE_H_

namespace simulator {

// The page's style sheet.
inline constexpr const char* kPageStyle = R"(
:root { color-scheme: light dark; --paper: #fbfaf7; --ink: #1d1f24; --soft: #5c6370; --line: #dcd9d0;
  --card: #ffffff; --bar: #3b6fb6; --waste: #b4530a; --hot: #fff4e2; }
@media (prefers-color-scheme: dark) { :root { --paper: #16181d; --ink: #e4e6eb; --soft: #9aa2b1;
  --line: #343842; --card: #1e2128; --bar: #7aa7e8; --waste: #f0a35c; --hot: #2c2619; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 68rem; padding: 1rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: .5rem 0; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .25rem; font-family: ui-monospace, monospace; }
h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
p { margin: .25rem 0 .75rem; }
.soft { color: var(--soft); }
a { color: var(--bar); }
nav a { display: inline-block; margin-right: 1rem; }
ol.advice { list-style: none; padding: 0; margin: .75rem 0; }
ol.advice li { background: var(--card); border: 1px solid var(--line);
  border-left: .3rem solid var(--waste); border-radius: .3rem; padding: .5rem .75rem;
  margin: .5rem 0; }
ol.advice li.good { border-left-color: var(--bar); }
ol.advice strong { display: block; }
dl.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: .5rem;
  margin: .75rem 0; }
dl.facts div { background: var(--card); border: 1px solid var(--line); border-radius: .3rem;
  padding: .4rem .75rem; }
dl.facts dt { color: var(--soft); font-size: .85rem; }
dl.facts dd { margin: 0; font-size: 1.15rem; font-variant-numeric: tabular-nums; }
dl.facts dd small { display: block; color: var(--soft); font-size: .85rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .2rem .6rem; border-bottom: 1px solid var(--line);
  white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
th { color: var(--soft); font-weight: normal; font-size: .85rem; }
.source { border: 1px solid var(--line); border-radius: .3rem; background: var(--card);
  padding: .3rem 0; }
.row { display: grid; grid-template-columns: 3.2rem 1fr; padding: 0 .5rem 0 0; }
.row > .n { color: var(--soft); text-align: right; padding-right: .8rem; user-select: none;
  font: .85rem/1.5 ui-monospace, monospace; }
.row code { font: .85rem/1.5 ui-monospace, monospace; white-space: pre-wrap; tab-size: 4; }
.row.hot { background: var(--hot); }
.fact { display: grid; grid-template-columns: 6.5rem 1fr; gap: .6rem; align-items: center;
  font-size: .85rem; font-variant-numeric: tabular-nums; padding-bottom: .15rem; }
.fact b { color: var(--waste); }
.bar { height: 1.15rem; border: 1px solid var(--line); border-radius: .2rem; position: relative;
  overflow: hidden; text-align: right; padding-right: .3rem; line-height: 1.1rem; }
.bar i { position: absolute; inset: 0 auto 0 0; background: var(--bar); opacity: .35; }
.bar span { position: relative; }
.gap { color: var(--soft); padding: 0 .5rem 0 3.2rem; }
dl.glossary dt { font-weight: bold; margin-top: .6rem; }
dl.glossary dd { margin: 0; }
@media (max-width: 40rem) { .fact { grid-template-columns: 4.5rem 1fr; } .row { grid-template-columns: 2.4rem 1fr; }
  .row > .n { padding-right: .5rem; } }
)";

// What the page's words mean, in HTML.
inline constexpr const char* kGlossary = R"(
<dl class="glossary">
<dt>Warp, lane</dt><dd>32 threads of a block that execute an instruction together; each of them is a lane.</dd>
<dt>Request</dt><dd>One load, store or atomic instruction of one warp, for all lanes that take part.</dd>
<dt>Sector</dt><dd>32 bytes of global memory, the least that moves: a request costs as many as its lanes touch.</dd>
<dt>Bank</dt><dd>Shared memory is 32 banks wide: word number n, of 4 bytes, lies in bank n modulo 32.</dd>
<dt>Wavefront</dt><dd>One pass through the banks, each of which gives one word; different words in one bank need one pass after another.</dd>
<dt>Least</dt><dd>What the request would cost if its bytes lay together (sectors), or in different banks (wavefronts).</dd>
<dt>Lanes</dt><dd>How many threads of the warp took part, on average; fewer than 32 is divergence, or a block that does not fill its last warp.</dd>
<dt>Share</dt><dd>The line's part of all sectors and wavefronts of the kernel.</dd>
<dt>Bytes moved</dt><dd>Sectors times 32, without caches, beside what would move if each sector were read once and written once in a launch.</dd>
<dt>Occupancy</dt><dd>The warps that a multiprocessor can hold of this kernel, by threads, blocks and shared memory, in parts of those that it has room for; registers, which only nvcc knows, may make it less.</dd>
<dt>Code executed</dt><dd>How often warps went through pieces of code that have no branch in them; lines that less than three quarters of the lanes go through are marked.</dd>
<dt>Variable load</dt><dd>A load from a __constant__ or __device__ variable; the first kind comes from a cache of its own, so neither is counted in sectors.</dd>
<dt>Local memory</dt><dd>Arrays of one thread that the compiler could not keep in registers.</dd>
</dl>
)";

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_PROFILE_PAGE_STYLE_H_
