// What the site's pages do beyond Doxygen's own scripts and the theme's.

// A link into something folded opens it.
function openTarget() {
  const name = decodeURIComponent(location.hash.slice(1));
  const target = name ? document.getElementById(name) : null;
  if (!target) return;
  let inside = target;
  while ((inside = inside.closest('details'))) {
    inside.open = true;
    inside = inside.parentElement;
  }
  // A heading whose section is one folded file opens that file.
  const heading = target.closest('h1, h2, h3, h4') || target;
  const next = heading.nextElementSibling;
  if (next && next.tagName === 'DETAILS') next.open = true;
  target.scrollIntoView();
}

// Formulas are drawn by MathJax, from the site's own folder; most pages have none.
function drawFormulas() {
  const text = document.querySelector('.contents');
  if (!text || !/\\[([]/.test(text.textContent)) return;
  window.MathJax = {
    tex2jax: {inlineMath: [['\\(', '\\)']], displayMath: [['\\[', '\\]']]},
    showMathMenu: false,
    messageStyle: 'none',
    // A busy machine may need longer than 15 seconds for a font; formulas would be errors then.
    AuthorInit: () => (window.MathJax.Ajax.timeout = 120000),
    SVG: {font: 'TeX', scale: 100, linebreaks: {automatic: true, width: 'container'}},
  };
  const script = document.createElement('script');
  script.src = 'mathjax/MathJax.js?config=TeX-AMS_SVG';
  document.head.appendChild(script);
}

// A page's title is its first heading, and the headings of its text stand below it. Doxygen writes the
// title as plain text, and the headings as if they were titles.
function rankHeadings() {
  const title = document.querySelector('.headertitle .title');
  if (!title) return;
  title.setAttribute('role', 'heading');
  title.setAttribute('aria-level', '1');
  const text = document.querySelectorAll('.contents .textblock :is(h1, h2, h3, h4, h5)');
  if (![...text].some((heading) => heading.tagName === 'H1')) return;
  for (const heading of text) heading.setAttribute('aria-level', Number(heading.tagName[1]) + 1);
}

// Makes a button of what the theme makes for the mouse alone.
function asButton(element, name) {
  if (element.hasAttribute('role')) return;
  element.setAttribute('role', 'button');
  element.setAttribute('tabindex', '0');
  element.setAttribute('aria-label', name);
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    element.click();
  });
}

// The contents are folded on narrow screens, where their heading unfolds them.
function foldContents() {
  const contents = document.querySelector('.contents > .toc');
  const heading = contents && contents.querySelector('h3');
  if (!heading) return;
  if (!matchMedia('(max-width: 999px)').matches) {
    heading.setAttribute('aria-level', '2');
    return;
  }
  const tell = () => heading.setAttribute('aria-expanded', contents.classList.contains('open'));
  heading.addEventListener('click', () => setTimeout(tell));
  asButton(heading, heading.textContent);
  tell();
}

// Names what Doxygen's scripts and the theme's put into the page, for those who do not see it, or use no
// mouse. They do so at times of their own, and again when a window changes between narrow and wide.
function nameControls() {
  const names = [
    ['#MSearchField', 'aria-label', 'Search'],
    ['#MSearchCloseImg', 'alt', 'Close the search'],
    ['#MSearchResults', 'title', 'What the search has found'],
  ];
  for (const [selector, attribute, text] of names) {
    const element = document.querySelector(selector);
    if (element) element.setAttribute(attribute, text);
  }
  for (const graph of document.querySelectorAll('.center iframe:not([title])')) {
    graph.title = 'Call graph';
  }
  for (const name of ['dark-mode-toggle', 'fragment-copy-button']) {
    for (const button of document.querySelectorAll(`doxygen-awesome-${name}:not([role])`)) {
      asButton(button, button.title);
    }
  }
}

document.addEventListener('DOMContentLoaded', () => {
  rankHeadings();
  openTarget();
  drawFormulas();
  foldContents();
  nameControls();
  new MutationObserver(nameControls).observe(document.body, {childList: true, subtree: true});
});
window.addEventListener('hashchange', openTarget);

DoxygenAwesomeDarkModeToggle.init();
DoxygenAwesomeFragmentCopyButton.init();
DoxygenAwesomeInteractiveToc.init();
