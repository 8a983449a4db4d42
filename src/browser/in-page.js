/*
 * Runs in the page, before its own scripts and in a world apart from them. The build packs it as a text; `probe.ts` calls
 * what it returns. Looks only.
 */
(expected) => {
  if (window.top !== window) return null;
  const LONGEST = 200;
  const MOST_HEADINGS = 50;
  const MOST_ELEMENTS = 50_000;
  const measured = { headingMs: null, largestPaintMs: null, layoutShift: 0 };

  const plain = (text) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
  const wanted = expected.map(plain).filter((text) => text !== '');

  /** Elements of the document and of open shadow trees. */
  const all = (selector, root = document, found = []) => {
    for (const element of root.querySelectorAll('*')) {
      if (found.length > MOST_ELEMENTS) break;
      if (element.matches(selector)) found.push(element);
      if (element.shadowRoot) all(selector, element.shadowRoot, found);
    }
    return found;
  };
  const isVisible = (element) => {
    if (element.checkVisibility?.({ opacityProperty: true, visibilityProperty: true }) === false) return false;
    const { width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1;
  };
  const textOf = (element) => (element.innerText ?? '').trim();
  const visibleHeadings = () =>
    all('h1, h2, h3, h4, h5, h6')
      .filter((element) => textOf(element) !== '' && isVisible(element))
      .slice(0, MOST_HEADINGS);
  const isWanted = (text) => {
    const shown = plain(text);
    return wanted.some((one) => shown.includes(one) || (shown.length > 3 && one.includes(shown)));
  };
  /** With nothing to wait for, any heading beside the menus counts. */
  const isShown = (element) =>
    wanted.length > 0 ? isWanted(textOf(element)) : !element.closest('nav, aside, header, [role=navigation]');

  /** Looks at each frame, until the heading is there. */
  const watch = () => {
    if (document.body && visibleHeadings().some(isShown)) measured.headingMs = performance.now();
    else requestAnimationFrame(watch);
  };
  requestAnimationFrame(watch);

  const observed = (type, add) => {
    new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({ type, buffered: true });
  };
  observed('largest-contentful-paint', ({ startTime }) => (measured.largestPaintMs = startTime));
  observed('layout-shift', ({ value, hadRecentInput }) => (measured.layoutShift += hadRecentInput ? 0 : value));

  /** What two links to one page have in common, however an engine writes its routes. */
  const keyOf = (href) => {
    const { hash = '', host = '', pathname = '' } = URL.parse(href, document.baseURI) ?? {};
    const [route] = (hash.length > 1 ? hash.replace(/^#!?/, '') : host + pathname).split(/[?#]/, 1);
    // Without `./` and `../`, and percent-encoded in one way.
    const path = URL.parse(route.replace(/^\/*/, '/'), 'http://x/')?.pathname ?? route;
    return path
      .toLowerCase()
      .replace(/\/(?:index|readme)?(?:\.md)?$|\.md$/, '')
      .replaceAll(/^\/+|\/+$/g, '');
  };

  /** Whether an element is cut to a pixel: its text is for screen readers and agents only. */
  const isCut = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return width <= 1 && height <= 1 && textOf(element) !== '' && getComputedStyle(element).overflow !== 'visible';
  };

  /** All text that is seen. A body that is not rendered would give all its text. */
  const allText = () => {
    if (!document.body?.checkVisibility?.()) return '';
    const cut = all('body *').filter(isCut);
    const outermost = cut.filter((element) => !cut.some((other) => other !== element && other.contains(element)));
    const text = [document.body, ...all('*').flatMap(({ shadowRoot }) => [...(shadowRoot?.children ?? [])])]
      .map((element) => (element ? textOf(element) : ''))
      .join('\n');
    return outermost.reduce((rest, element) => rest.replace(textOf(element), () => ''), text).trim();
  };

  return {
    /** Whether the heading is shown, and a number that changes when the document does. */
    state: () => ({
      isShown: measured.headingMs !== null,
      isComplete: document.readyState === 'complete',
      size: document.getElementsByTagName('*').length + (document.body?.textContent ?? '').length,
    }),
    /** What is shown. `links`: those of a menu. */
    collect: (links) => {
      const shown = new Set(all('a[href]').map((element) => keyOf(element.getAttribute('href'))));
      return {
        ...measured,
        headings: visibleHeadings().map((element) => textOf(element).slice(0, LONGEST)),
        text: allText().slice(0, 2_000),
        links: links.filter((link) => shown.has(keyOf(link))).length,
      };
    },
    /** Whether all text that is shown is in the document as it was received. Stylesheets may change its case. */
    isStatic: (html) => {
      const { body } = new DOMParser().parseFromString(html, 'text/html');
      for (const element of body.querySelectorAll('script, style, template, noscript')) element.remove();
      const received = plain(body.textContent);
      // Between two lines there may be text that is not seen.
      return allText()
        .split('\n')
        .every((line) => received.includes(plain(line)));
    },
    /** What sticks out at the width of the window, where the page scrolls sideways; otherwise `null`. */
    overflow: () => {
      const { documentElement: root } = document;
      const before = scrollX;
      scrollTo(1e6, scrollY);
      const isScrolled = scrollX > 1;
      scrollTo(before, scrollY);
      if (!isScrolled) return null;
      // What scrolls by itself does not stick out.
      const scrolling = new Set(all('body *').filter((element) => getComputedStyle(element).overflowX !== 'visible'));
      // Text without spaces may be wider than its own element.
      const right = (element) => {
        const { left, right: edge } = element.getBoundingClientRect();
        return Math.round(scrolling.has(element) ? edge : Math.max(edge, left + element.scrollWidth));
      };
      const sticksOut = (element) => {
        for (let parent = element.parentElement; parent; parent = parent.parentElement) {
          if (parent !== document.body && scrolling.has(parent)) return false;
        }
        return isVisible(element);
      };
      const widest = all('body *')
        .filter(sticksOut)
        .reduce((one, other) => (right(other) >= right(one) ? other : one), root);
      const { id, classList, localName } = widest;
      const name = id
        ? `#${id}`
        : [...classList]
            .slice(0, 2)
            .map((word) => `.${word}`)
            .join('');
      return { width: Math.round(root.scrollWidth), element: `${localName}${name}`.slice(0, LONGEST) };
    },
    /** Serious and critical violations, with axe-core loaded. */
    barriers: async () => {
      const { violations } = await axe.run(document, { resultTypes: ['violations'], iframes: false });
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, helpUrl, nodes }) => ({
          rule: id,
          helpUrl,
          element: String(nodes[0]?.target?.flat().join(' ') ?? '').slice(0, LONGEST),
          count: nodes.length,
        }));
    },
  };
};
