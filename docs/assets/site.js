/** Starts docsify with what config.json says. Everything that the site shows comes from its own folder. */
(() => {
  const FAILED = {
    en: {
      title: 'The documentation cannot be shown',
      file: 'This page was opened from a file. Browsers let a page load other files only over HTTP: start a web server in this folder, for example with “docvitals serve .”.',
      config: 'config.json cannot be loaded, or is not valid JSON. Check that the file was deployed, and its syntax.',
      engine: 'A script of the site cannot be loaded. Check that the folder “vendor” was deployed.',
    },
    ro: {
      title: 'Documentația nu poate fi afișată',
      file: 'Pagina a fost deschisă dintr-un fișier. Browserele permit unei pagini să încarce alte fișiere numai prin HTTP: porniți un server web în acest dosar, de exemplu cu „docvitals serve .”.',
      config:
        'config.json nu poate fi încărcat sau nu este JSON valid. Verificați că fișierul a fost publicat și că sintaxa lui este corectă.',
      engine: 'Un script al site-ului nu poate fi încărcat. Verificați că dosarul „vendor” a fost publicat.',
    },
    fr: {
      title: 'La documentation ne peut pas être affichée',
      file: 'Cette page a été ouverte depuis un fichier. Les navigateurs ne laissent une page charger d’autres fichiers que par HTTP : démarrez un serveur web dans ce dossier, par exemple avec « docvitals serve . ».',
      config:
        'config.json ne peut pas être chargé ou n’est pas du JSON valide. Vérifiez que le fichier a été déployé et que sa syntaxe est correcte.',
      engine: 'Un script du site ne peut pas être chargé. Vérifiez que le dossier « vendor » a été déployé.',
    },
  };

  /** Shows why there is no documentation, in the language of the address. */
  function fail(reason, detail) {
    const language = /^#\/(ro|fr)\b/.exec(location.hash)?.[1] ?? 'en';
    const main = document.createElement('main');
    main.className = 'failure';
    const texts = [FAILED[language].title, FAILED[language][reason], ...(detail ? [String(detail)] : [])];
    for (const [at, text] of texts.entries()) {
      const element = document.createElement(['h1', 'p', 'code'][at]);
      element.textContent = text;
      main.append(element);
    }
    document.documentElement.lang = language;
    document.body.replaceChildren(main);
  }

  async function readConfig() {
    const response = await fetch('config.json', { cache: 'no-cache' });
    if (!response.ok) throw new Error(`config.json: HTTP ${response.status}`);
    return response.json();
  }

  function load(script) {
    return new Promise((resolve, reject) => {
      const element = document.createElement('script');
      element.src = script;
      element.addEventListener('load', resolve);
      element.addEventListener('error', () => reject(new Error(script)));
      document.head.append(element);
    });
  }

  const escaped = (text) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

  /** The language whose folder a route is in. */
  function localeOf({ locales }, route) {
    const found = locales.find(({ prefix }) => prefix && (route === `/${prefix}` || route.startsWith(`/${prefix}/`)));
    return found ?? locales.find(({ isDefault }) => isDefault) ?? locales[0];
  }

  const folderOf = ({ prefix }) => (prefix ? `/${prefix}/` : '/');

  /** One value for each language, by the folder of its pages: docsify takes the first that a route contains. */
  function perFolder({ locales }, valueOf) {
    const longestFirst = locales.toSorted((a, b) => folderOf(b).length - folderOf(a).length);
    return Object.fromEntries(longestFirst.map((locale) => [folderOf(locale), valueOf(locale)]));
  }

  /** The files of routes: each folder shows its home page, and each page the navigation of its language. */
  function aliases({ locales, homePage, navigationFile }) {
    const folders = locales.flatMap(({ prefix }) => (prefix ? [escaped(prefix)] : []));
    const navigation = escaped(navigationFile);
    return {
      [`/(${folders.join('|')})/(?:.*/)?${navigation}`]: `/$1/${navigationFile}`,
      [`/.*/${navigation}`]: `/${navigationFile}`,
      '/': `/${homePage}`,
      '(/.+)/': `$1/${homePage}`,
    };
  }

  function docsifySettings(config) {
    const { title, navigationFile, locales, search } = config;
    return {
      name: title,
      nameLink: perFolder(config, (locale) => `#${folderOf(locale)}`),
      relativePath: true,
      loadSidebar: navigationFile,
      subMaxLevel: 2,
      alias: aliases(config),
      auto2top: true,
      noEmoji: true,
      executeScript: false,
      externalLinkTarget: '_self',
      skipLink: perFolder(config, ({ words }) => words.skip),
      search: {
        ...search,
        placeholder: perFolder(config, ({ words }) => words.search),
        noData: perFolder(config, ({ words }) => words.noResults),
        pathNamespaces: locales.flatMap(({ prefix }) => (prefix ? [`/${prefix}`] : [])),
      },
    };
  }

  /** Routes as people write them, links of the navigation as its file means them, and what a missing page shows. */
  function routing(config) {
    const ownLink = new RegExp(String.raw`\]\(${escaped(new URL('.', location.href).href)}(?=[^)\s]*\.md)`, 'g');
    return (hook, vm) => {
      hook.mounted(() => {
        const { router, compiler } = vm;
        const toURL = router.toURL.bind(router);
        const home = new RegExp(`/${escaped(config.homePage.replace(/\.md$/, ''))}(?=$|\\?)`);
        router.toURL = (...parts) => toURL(...parts).replace(home, '/');
        // docsify resolves the links of the navigation against the page that is shown.
        const sidebar = compiler.sidebar.bind(compiler);
        compiler.sidebar = (text, level) => {
          const folder = folderOf(localeOf(config, vm.route.path));
          return sidebar(text?.replaceAll(/\]\((?![a-z]+:|[/#])/g, `](${folder}`), level);
        };
      });
      hook.beforeEach((markdown) => {
        const isPage = vm.route.response?.ok !== false && !/^\s*<(?:!doctype|html)/i.test(markdown ?? '');
        const locale = localeOf(config, vm.route.path);
        // An absolute link to a page of this site stays in the site.
        if (isPage) return markdown.replaceAll(ownLink, '](/');
        return locale.words.notFound.replace('{home}', `#${folderOf(locale)}`);
      });
    };
  }

  /** Links to the same page in the other languages. */
  function languages(config) {
    return (hook, vm) => {
      const list = document.createElement('nav');
      list.className = 'languages';
      hook.mounted(() => document.querySelector('main').before(list));
      hook.doneEach(() => {
        const { path } = vm.route;
        const current = localeOf(config, path);
        document.documentElement.lang = current.code;
        list.setAttribute('aria-label', current.words.languages);
        const page = path.slice(folderOf(current).length);
        list.replaceChildren(
          ...config.locales.map((locale) => {
            const link = document.createElement('a');
            link.href = `#${folderOf(locale)}${page}`;
            link.lang = link.hreflang = locale.code;
            link.textContent = locale.label;
            if (locale === current) link.setAttribute('aria-current', 'true');
            return link;
          }),
        );
      });
    };
  }

  /** What docsify's own page lacks for people who do not see it or use no mouse. */
  function accessibility(config) {
    return (hook, vm) => {
      hook.mounted(() => {
        // One button instead of a button in a button.
        const button = document.querySelector('.sidebar-toggle');
        const inner = button.querySelector('.sidebar-toggle-button');
        for (const name of ['role', 'tabindex', 'aria-label', 'aria-controls', 'aria-keyshortcuts']) {
          inner.removeAttribute(name);
        }
        for (const name of ['tabindex', 'title']) button.removeAttribute(name);
        button.setAttribute('aria-controls', '__sidebar');
        document.querySelector('.sidebar').removeAttribute('role');
        // docsify counts results in English only.
        const status = document.querySelector('.results-status');
        new MutationObserver(() => {
          const [, count] = /^Found (\d+) results$/.exec(status.textContent) ?? [];
          const { words } = localeOf(config, vm.route.path);
          if (count !== undefined) status.textContent = words.results.replace('{count}', count);
        }).observe(status, { childList: true });
        // The only main heading is that of the page.
        const name = document.querySelector('h1.app-name');
        const plain = document.createElement('p');
        plain.className = 'app-name';
        plain.append(...name.childNodes);
        name.replaceWith(plain);
      });
      hook.doneEach(() => {
        const { words } = localeOf(config, vm.route.path);
        // docsify takes the title from the navigation, which has no text while it is hidden.
        const heading = document.querySelector('#main h1')?.textContent ?? config.title;
        document.title = heading === config.title ? heading : `${heading} · ${config.title}`;
        document.querySelector('.sidebar-toggle').setAttribute('aria-label', words.menu);
        document.querySelector('.sidebar-nav').setAttribute('aria-label', words.menu);
        for (const name of ['aria-label', 'placeholder']) {
          document.querySelector('.search input')?.setAttribute(name, words.search);
        }
        document.querySelector('.progress')?.setAttribute('aria-hidden', 'true');
        // Wide tables and code scroll: with the keyboard, too.
        for (const wide of document.querySelectorAll('.markdown-section :is(table, pre)')) {
          if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
        }
      });
    };
  }

  /** Reads all pages for the search when somebody first goes to its field, and not with the first page. */
  function searchOnDemand(plugin) {
    return (hook, vm) => {
      let index = null;
      let isWanted = false;
      plugin({ ...hook, doneEach: (run) => (index = run) }, vm);
      hook.mounted(() => {
        const input = document.querySelector('.search input');
        const repeat = () => {
          if (input.value !== '' && !document.querySelector('.matching-post')) input.dispatchEvent(new Event('input'));
        };
        input?.addEventListener('focus', () => {
          if (isWanted) return;
          isWanted = true;
          index?.();
          // Who types at once gets results when the pages are there.
          const timer = setInterval(repeat, 500);
          setTimeout(() => clearInterval(timer), 15_000);
        });
      });
      hook.doneEach(() => {
        if (isWanted) index?.();
      });
    };
  }

  async function start() {
    if (location.protocol === 'file:') return fail('file');
    let config;
    try {
      config = await readConfig();
      window.$docsify = docsifySettings(config);
    } catch (error) {
      return fail('config', error);
    }
    try {
      await load('vendor/search.min.js');
      const plugins = window.$docsify.plugins.map(searchOnDemand);
      window.$docsify.plugins = [routing(config), languages(config), ...plugins, accessibility(config)];
      await load('vendor/docsify.min.js');
    } catch (error) {
      fail('engine', error);
    }
  }

  void start();
})();
