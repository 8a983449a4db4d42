/** Words of generated tables that are not those of docvitals itself, in the languages of the translations. */
import type { Language } from '../../src/locales/language.ts';

/** Cells of tables, or their parts between commas: Romanian, French. */
const PIECES: Readonly<Record<string, readonly [string, string]>> = {
  check: ['verificare', 'contrôle'],
  target: ['cerere', 'requête'],
  expected: ['așteptat', 'attendu'],
  'action if degraded': ['remediere', 'correctif'],
  // Engines.
  engine: ['motor', 'moteur'],
  option: ['opțiune', 'option'],
  'home page': ['pagina de start', 'page d’accueil'],
  navigation: ['navigare', 'navigation'],
  'without `config.json`': ['fără `config.json`', 'sans `config.json`'],
  'without a navigation': ['fără navigare', 'sans navigation'],
  'without `llms.txt`': ['fără `llms.txt`', 'sans `llms.txt`'],
  'any other': ['oricare altul', 'tout autre'],
  error: ['eroare', 'erreur'],
  warning: ['avertisment', 'avertissement'],
  info: ['informație', 'information'],
  'the engine has defaults': ['motorul are valori implicite', 'le moteur a des valeurs par défaut'],
  'visitors see a blank page': ['vizitatorii văd o pagină goală', 'les visiteurs voient une page blanche'],
  'read from the bundle': ['citite din pachetul motorului', 'lus dans le bundle du moteur'],
  // Real sites.
  repository: ['depozit', 'dépôt'],
  'core checks': ['verificări de bază', 'contrôles de base'],
  'with an SPA fallback': ['cu fallback SPA', 'avec un repli SPA'],
  'dead links': ['linkuri moarte', 'liens morts'],
  healthy: ['funcțional', 'opérationnel'],
  degraded: ['degradat', 'dégradé'],
  down: ['indisponibil', 'indisponible'],
  // Speed.
  work: ['sarcină', 'travail'],
  against: ['față de', 'par rapport à'],
  wanted: ['dorit', 'visé'],
  measured: ['măsurat', 'mesuré'],
  met: ['atins', 'atteint'],
  yes: ['da', 'oui'],
  '**no**': ['**nu**', '**non**'],
  'not measured': ['nemăsurat', 'non mesuré'],
  'one-shot check': ['o verificare', 'un contrôle'],
  '50 ms round trip': ['50 ms dus-întors', '50 ms aller-retour'],
  loopback: ['pe aceeași mașină', 'en boucle locale'],
  'first run': ['prima rulare', 'première exécution'],
  wall: ['durată', 'durée'],
  cpu: ['procesor', 'processeur'],
  'cpu a check': ['procesor pe verificare', 'processeur par contrôle'],
  'peak memory': ['memorie maximă', 'mémoire maximale'],
  'aim 1.2': ['țintă 1,2', 'cible 1,2'],
  itself: ['el însuși', 'lui-même'],
  'start (`docvitals --version`)': ['pornire (`docvitals --version`)', 'démarrage (`docvitals --version`)'],
  'empty `node x.mjs`': ['`node x.mjs` gol', '`node x.mjs` vide'],
  'bundle of 300 KB compressed': ['pachet de 300 KB comprimat', 'bundle de 300 Ko compressé'],
  'bundle of 5 MB compressed': ['pachet de 5 MB comprimat', 'bundle de 5 Mo compressé'],
  'six at once': ['șase deodată', 'six à la fois'],
  'six pages': ['șase pagini', 'six pages'],
  'one heading a page': ['câte un titlu pe pagină', 'un titre par page'],
  '`--full` on 1,000 pages': ['`--full` pe 1.000 de pagini', '`--full` sur 1\u00A0000 pages'],
  'monitor run': ['o rulare a monitorului', 'une exécution du moniteur'],
  // Growth.
  pages: ['pagini', 'pages'],
  'wall a page': ['durată pe pagină', 'durée par page'],
};

/** What stands outside of tables. */
const SENTENCES: readonly (readonly [RegExp, string, string])[] = [
  [
    /Reported: all (\d+) dead links, and no others\./,
    'Raportate: toate cele $1 de linkuri moarte, și niciun altul.',
    'Signalés : les $1 liens morts, et aucun autre.',
  ],
  [/Measured on (\S+), once: /, 'Măsurat la $1, o dată: ', 'Mesuré le $1, une fois\u00A0: '],
  [/Measured on ([\d-]+)( \([^)]+\))?: /g, 'Măsurat la $1$2: ', 'Mesuré le $1$2\u00A0: '],
  [/Measured from (\S+) to (\S+)( \([^)]+\))?: /, 'Măsurat între $1 și $2$3: ', 'Mesuré du $1 au $2$3\u00A0: '],
  [/(\d) cores of/g, '$1 nuclee', '$1 cœurs'],
  [/A whole site: wall time a page\./g, 'Un site întreg: durata pe pagină.', 'Un site entier\u00A0: durée par page.'],
  [/A whole site: wall time\./g, 'Un site întreg: durata.', 'Un site entier\u00A0: durée.'],
  [/A whole site: cpu time\./g, 'Un site întreg: timp de procesor.', 'Un site entier\u00A0: temps de processeur.'],
  [/A whole site: peak memory\./g, 'Un site întreg: memoria maximă.', 'Un site entier\u00A0: mémoire maximale.'],
  [/By the number of pages\./g, 'După numărul de pagini.', 'Selon le nombre de pages.'],
  [/(\d \w+|\d\.\d+ \w+|\d) at ([\d,]+)/g, '$1 la $2', '$1 à $2'],
];

/** A cell of numbers, with their units; versions are not numbers. */
const NUMBERS = /^[≤\d.,()–\s]+(?:ms|s|MiB)?$/;

/** Numbers as a language writes them. */
const numbersIn = (text: string, language: Language): string =>
  text.replaceAll(/\d+(?:,\d{3})*(?:\.\d+)?/g, (number) => {
    const [whole = '', ...fraction] = number.split('.');
    return [whole.replaceAll(',', language === 'ro' ? '.' : '\u00A0'), ...fraction].join(',');
  });

/** A generated text in a language; words that are not listed stay in English. */
export function inWords(text: string, language: Language): string {
  if (language === 'en') return text;
  const index = language === 'ro' ? 0 : 1;
  const piece = (words: string): string =>
    PIECES[words]?.[index] ?? (NUMBERS.test(words) ? numbersIn(words, language) : words);
  const cell = (words: string): string => PIECES[words]?.[index] ?? words.split(', ').map(piece).join(', ');
  const line = (one: string): string => {
    if (one.startsWith('|'))
      return one
        .split(' | ')
        .map((part) => bare(part, cell))
        .join(' | ');
    let all = one;
    for (const [english, ...others] of SENTENCES) all = all.replace(english, others[index] ?? '');
    return one.startsWith('![') ? numbersIn(all, language) : all;
  };
  const all = text.split('\n').map(line).join('\n');
  return language === 'fr' ? withFrenchMarks(all) : all;
}

/** French has another unit, and spaces before colons and semicolons. */
const withFrenchMarks = (text: string): string =>
  text
    .replaceAll('MiB', 'Mio')
    .replaceAll(/(docvitals|linkinator): /g, '$1\u00A0: ')
    .replaceAll('; linkinator', '\u00A0; linkinator');

/** The first and the last cell of a row have its edges. */
const bare = (part: string, cell: (words: string) => string): string =>
  part.replace(/^(\| )?([^]*?)( \|)?$/, (_all, left: string | undefined, words: string, right: string | undefined) =>
    [left ?? '', cell(words), right ?? ''].join(''),
  );
