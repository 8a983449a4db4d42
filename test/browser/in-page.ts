/**
 * What is asked of a page from inside. The texts are evaluated by the browser, so they are JavaScript: the types of a
 * browser would otherwise be known to all that runs in Node.
 */

/** By how many CSS pixels the page is wider than its window. */
export const OVERFLOW = `document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth`;

/**
 * Texts that stick out of the window or out of their own box, as `tag.class: text`. What clips what a site sends
 * (stacked accents) clips it in height only.
 */
export const CUT = `(() => {
  const width = document.documentElement.clientWidth;
  const isShown = (element) => element.checkVisibility() && !element.closest('thead') && getComputedStyle(element).clipPath === 'none';
  const isOut = (element) => {
    const box = element.getBoundingClientRect();
    const isBlock = getComputedStyle(element).display !== 'inline';
    return box.left < -1 || box.right > width + 1 || (isBlock && element.scrollWidth > element.clientWidth + 1);
  };
  const texts = [...document.querySelectorAll('main :is(h1, h2, h3, h4, p, li, td, dt, dd, code, a, span, summary, figcaption)')];
  return texts.filter((element) => isShown(element) && isOut(element)).map((element) =>
    element.tagName + '.' + element.className + ': ' + element.textContent.slice(0, 60));
})()`;

/** Pairs of texts that lie on each other: cells of a row, names and values of facts, headings and what follows them. */
export const OVERLAPS = `(() => {
  const pairs = [];
  for (const parent of document.querySelectorAll('tr, .facts, .facts > div, .run, .clocks, .asked, .counts, .contents, .group, article, main, main > section, .verdict, .verdict > div')) {
    const children = [...parent.children].filter((child) => child.checkVisibility() && child.getClientRects().length > 0 && !child.closest('thead'));
    for (const [index, child] of children.entries()) {
      for (const other of children.slice(index + 1)) {
        const [a, b] = [child.getBoundingClientRect(), other.getBoundingClientRect()];
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (wide > 1 && high > 1) pairs.push(child.outerHTML.slice(0, 60) + ' / ' + other.outerHTML.slice(0, 60));
      }
    }
  }
  return pairs;
})()`;

/** Opens all that is behind a click. */
export const OPEN_ALL = `for (const details of document.querySelectorAll('details')) details.open = true`;

/** The lightness of an element's background and text, 0 to 765 each. */
export const lightnessOf = (selector: string): string => `(() => {
  const style = getComputedStyle(document.querySelector(${JSON.stringify(selector)}));
  const sum = (colour) => colour.match(/\\d+/g).slice(0, 3).reduce((total, part) => total + Number(part), 0);
  return { background: sum(style.backgroundColor), text: sum(style.color) };
})()`;

/** How many links and summaries can be seen. */
export const FOCUSABLE = `[...document.querySelectorAll('a[href], summary')].filter((element) => element.checkVisibility()).length`;

/** A number for the element that has the focus, the same each time; -1 where it is none of those. */
export const FOCUSED = `[...document.querySelectorAll('a[href], summary')].indexOf(document.activeElement)`;

/** Tries what the policy forbids, and shows what came of it. */
export const BREAK_POLICY = `(async () => {
  const refused = [];
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => refused.push(effectiveDirective));
  const style = document.createElement('style');
  style.textContent = 'body { display: none }';
  const script = document.createElement('script');
  script.textContent = 'document.title = "owned"';
  const image = document.createElement('img');
  image.src = '/image.png';
  const base = document.createElement('base');
  base.href = 'http://evil.test/';
  document.head.append(style, script, base);
  document.body.append(image);
  document.body.setAttribute('style', 'display: none');
  await new Promise((resolve) => setTimeout(resolve, 100));
  return { refused: [...new Set(refused)].sort(), display: getComputedStyle(document.body).display, base: document.baseURI.includes('evil') };
})()`;

/** What axe finds: the rules that are broken, each with the first element that breaks it, and those that hold. */
export interface Audit {
  readonly broken: readonly (readonly [rule: string, html: string])[];
  readonly held: readonly string[];
}

/** Lets axe look, once its own text was evaluated. Stylesheets are not to be fetched again: there is nothing to fetch. */
export const audit = (rules?: readonly string[]): string => `axe
  .run(document, ${JSON.stringify({ preload: false, resultTypes: ['violations'], runOnly: rules })})
  .then(({ violations, passes }) => ({
    broken: violations.map(({ id, nodes }) => [id, nodes[0].html]),
    held: passes.map(({ id }) => id),
  }))`;
