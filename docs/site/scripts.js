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
    SVG: {font: 'TeX', scale: 100, linebreaks: {automatic: true, width: 'container'}},
  };
  const script = document.createElement('script');
  script.src = 'mathjax/MathJax.js?config=TeX-AMS_SVG';
  document.head.appendChild(script);
}

document.addEventListener('DOMContentLoaded', () => {
  openTarget();
  drawFormulas();
});
window.addEventListener('hashchange', openTarget);

DoxygenAwesomeDarkModeToggle.init();
DoxygenAwesomeFragmentCopyButton.init();
DoxygenAwesomeInteractiveToc.init();
