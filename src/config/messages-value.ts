import type { Language } from '../texts.ts';
import type { ExpectedKind, Expectations } from './problem.ts';

/** One kind of mistake in every language. What was found instead is added by `renderProblem`. */
export type Sentences<Kind extends ExpectedKind> = Readonly<Record<Language, (params: Expectations[Kind]) => string>>;

/** What a value should have been. */
export const VALUE_SENTENCES = {
  mapping: {
    en: () => 'expected a mapping (key: value)',
    ro: () => 'se așteaptă o mapare (cheie: valoare)',
    fr: () => 'un dictionnaire (clé: valeur) est attendu',
  },
  list: {
    en: () => 'expected a list',
    ro: () => 'se așteaptă o listă',
    fr: () => 'une liste est attendue',
  },
  text: {
    en: () => 'expected text that is not empty',
    ro: () => 'se așteaptă un text nevid',
    fr: () => 'un texte non vide est attendu',
  },
  texts: {
    en: () => 'expected text that is not empty, or a list of such texts',
    ro: () => 'se așteaptă un text nevid sau o listă de astfel de texte',
    fr: () => 'un texte non vide ou une liste de tels textes est attendu',
  },
  boolean: {
    en: () => 'expected true or false',
    ro: () => 'se așteaptă true sau false',
    fr: () => 'true ou false est attendu',
  },
  integer: {
    en: ({ least, most }) => `expected a whole number from ${least} to ${most}`,
    ro: ({ least, most }) => `se așteaptă un număr întreg de la ${least} la ${most}`,
    fr: ({ least, most }) => `un nombre entier de ${least} à ${most} est attendu`,
  },
  rate: {
    en: () => 'expected a number of requests a second, such as 10 or 0.5 (0: as fast as the host answers)',
    ro: () => 'se așteaptă un număr de cereri pe secundă, de exemplu 10 sau 0.5 (0: cât de repede răspunde gazda)',
    fr: () =>
      'un nombre de requêtes par seconde est attendu, par exemple 10 ou 0.5 (0\u00a0: aussi vite que l’hôte répond)',
  },
  'one-of': {
    en: ({ values }) => `expected one of: ${values.join(', ')}`,
    ro: ({ values }) => `se așteaptă una dintre valorile: ${values.join(', ')}`,
    fr: ({ values }) => `une de ces valeurs est attendue\u00a0: ${values.join(', ')}`,
  },
  duration: {
    en: () => 'expected a duration such as 10s',
    ro: () => 'se așteaptă o durată, de exemplu 10s',
    fr: () => 'une durée est attendue, par exemple 10s',
  },
  'duration-unit': {
    en: ({ days }) => `expected a duration with its unit (${days ? 'ms, s, m, h or d' : 'ms, s, m or h'}), such as 10s`,
    ro: ({ days }) =>
      `se așteaptă o durată cu unitatea ei (${days ? 'ms, s, m, h sau d' : 'ms, s, m sau h'}), de exemplu 10s`,
    fr: ({ days }) =>
      `une durée avec son unité (${days ? 'ms, s, m, h ou d' : 'ms, s, m ou h'}) est attendue, par exemple 10s`,
  },
  'duration-range': {
    en: ({ least, most }) => `expected a duration from ${least} to ${most}`,
    ro: ({ least, most }) => `se așteaptă o durată de la ${least} la ${most}`,
    fr: ({ least, most }) => `une durée de ${least} à ${most} est attendue`,
  },
  size: {
    en: () => 'expected a size such as 10MiB, or a number of bytes',
    ro: () => 'se așteaptă o dimensiune, de exemplu 10MiB, sau un număr de octeți',
    fr: () => 'une taille est attendue, par exemple 10MiB, ou un nombre d’octets',
  },
  'size-range': {
    en: ({ most }) => `expected a size from 1 byte to ${most}`,
    ro: ({ most }) => `se așteaptă o dimensiune de la 1 octet la ${most}`,
    fr: ({ most }) => `une taille de 1 octet à ${most} est attendue`,
  },
  url: {
    en: () => 'expected an http or https URL such as https://docs.example.org/',
    ro: () => 'se așteaptă un URL http sau https, de exemplu https://docs.example.org/',
    fr: () => 'une URL http ou https est attendue, par exemple https://docs.example.org/',
  },
  'file-url': {
    en: () => 'expected an http or https URL: a site opened through file:// does not work, serve it over HTTP',
    ro: () => 'se așteaptă un URL http sau https: un site deschis prin file:// nu funcționează, serviți-l prin HTTP',
    fr: () =>
      'une URL http ou https est attendue\u00a0: un site ouvert par file:// ne fonctionne pas, servez-le en HTTP',
  },
  status: {
    en: () => 'expected an HTTP status from 100 to 599, or a list of them',
    ro: () => 'se așteaptă un cod de stare HTTP de la 100 la 599 sau o listă de coduri',
    fr: () => 'un code d’état HTTP de 100 à 599 ou une liste de codes est attendu',
  },
  'media-type': {
    en: () => 'expected a media type such as text/plain, or a list of them',
    ro: () => 'se așteaptă un tip media, de exemplu text/plain, sau o listă de tipuri',
    fr: () => 'un type de média est attendu, par exemple text/plain, ou une liste de types',
  },
  json: {
    en: () => 'expected true, or a mapping with `schema`',
    ro: () => 'se așteaptă true sau o mapare cu `schema`',
    fr: () => 'true ou un dictionnaire avec `schema` est attendu',
  },
  true: {
    en: () => 'expected true (leave the key out otherwise)',
    ro: () => 'se așteaptă true (altfel omiteți cheia)',
    fr: () => 'true est attendu (sinon, omettez la clé)',
  },
  fix: {
    en: () => 'expected text that is not empty, or a mapping with `en` and optionally `ro` and `fr`',
    ro: () => 'se așteaptă un text nevid sau o mapare cu `en` și, opțional, `ro` și `fr`',
    fr: () => 'un texte non vide ou un dictionnaire avec `en` et, au besoin, `ro` et `fr` est attendu',
  },
  'own-id': {
    en: () => 'expected lower-case words joined with hyphens, such as release-notes',
    ro: () => 'se așteaptă cuvinte cu litere mici legate prin cratimă, de exemplu release-notes',
    fr: () => 'des mots en minuscules reliés par des traits d’union sont attendus, par exemple release-notes',
  },
  path: {
    en: () => 'expected a path relative to the site, such as guide/index.md',
    ro: () => 'se așteaptă o cale relativă la site, de exemplu guide/index.md',
    fr: () => 'un chemin relatif au site est attendu, par exemple guide/index.md',
  },
  'path-outside': {
    en: () => 'expected a path inside the site: this one leads out of its base',
    ro: () => 'se așteaptă o cale din interiorul site-ului: aceasta iese din baza lui',
    fr: () => 'un chemin à l’intérieur du site est attendu\u00a0: celui-ci sort de sa base',
  },
  regex: {
    en: () => 'expected a valid regular expression between slashes (flags: i m s u v)',
    ro: () => 'se așteaptă o expresie regulată validă între bare oblice (opțiuni: i m s u v)',
    fr: () => 'une expression régulière valide entre barres obliques est attendue (options\u00a0: i m s u v)',
  },
  'version-from': {
    en: () => 'expected a path, then `#` and a JSON Pointer or a regular expression, such as version.json#/commit',
    ro: () =>
      'se așteaptă o cale, apoi `#` și un JSON Pointer sau o expresie regulată, de exemplu version.json#/commit',
    fr: () =>
      'un chemin, puis `#` et un JSON Pointer ou une expression régulière, est attendu, par exemple version.json#/commit',
  },
  resolve: {
    en: () => 'expected host:port:address such as docs.example.org:443:192.0.2.10',
    ro: () => 'se așteaptă gazdă:port:adresă, de exemplu docs.example.org:443:192.0.2.10',
    fr: () => 'hôte:port:adresse est attendu, par exemple docs.example.org:443:192.0.2.10',
  },
  'rule-key': {
    en: () => 'expected `<check id>/<code>` such as navigation/no-links',
    ro: () => 'se așteaptă `<id-ul verificării>/<cod>`, de exemplu navigation/no-links',
    fr: () => '`<id de la vérification>/<code>` est attendu, par exemple navigation/no-links',
  },
  'header-name': {
    en: () => 'expected a header name: letters, digits and hyphens',
    ro: () => 'se așteaptă un nume de antet: litere, cifre și cratime',
    fr: () => 'un nom d’en-tête est attendu\u00a0: lettres, chiffres et traits d’union',
  },
  'header-value': {
    en: () => 'expected a header value without line breaks, control characters or characters beyond Latin-1',
    ro: () => 'se așteaptă o valoare de antet fără sfârșit de rând, caractere de control sau din afara Latin-1',
    fr: () => 'une valeur d’en-tête sans saut de ligne, ni caractère de contrôle ou hors Latin-1, est attendue',
  },
  'header-reserved': {
    en: ({ name }) => `the header \`${name}\` is set by the HTTP client and cannot be given here`,
    ro: ({ name }) => `antetul \`${name}\` este stabilit de clientul HTTP și nu poate fi dat aici`,
    fr: ({ name }) => `l’en-tête \`${name}\` est défini par le client HTTP et ne peut pas être donné ici`,
  },
} as const satisfies { readonly [Kind in ExpectedKind]?: Sentences<Kind> };
