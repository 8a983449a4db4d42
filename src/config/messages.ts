import { JSON_SENTENCES } from './messages-json.ts';
import { MONITOR_SENTENCES } from './messages-monitor.ts';
import { near } from './messages-near.ts';
import { type Sentences, VALUE_SENTENCES } from './messages-value.ts';
import type { ExpectedKind } from './problem.ts';

const { en, ro, fr } = near;

/** The sentence of every kind of mistake, in every language. */
export const SENTENCES = {
  ...VALUE_SENTENCES,
  ...MONITOR_SENTENCES,

  'unknown-key': {
    en: ({ name, nearest }) => `unknown key \`${name}\`${en(nearest)}`,
    ro: ({ name, nearest }) => `cheie necunoscută \`${name}\`${ro(nearest)}`,
    fr: ({ name, nearest }) => `clé inconnue \`${name}\`${fr(nearest)}`,
  },
  'missing-key': {
    en: ({ name }) => `the key \`${name}\` is missing`,
    ro: ({ name }) => `lipsește cheia \`${name}\``,
    fr: ({ name }) => `la clé \`${name}\` manque`,
  },
  'duplicate-key': {
    en: ({ name }) => `the key \`${name}\` stands here a second time`,
    ro: ({ name }) => `cheia \`${name}\` apare aici a doua oară`,
    fr: ({ name }) => `la clé \`${name}\` figure ici une seconde fois`,
  },
  'unknown-check': {
    en: ({ name, nearest }) => `there is no check \`${name}\`${en(nearest)}`,
    ro: ({ name, nearest }) => `nu există verificarea \`${name}\`${ro(nearest)}`,
    fr: ({ name, nearest }) => `la vérification \`${name}\` n’existe pas${fr(nearest)}`,
  },
  'unknown-code': {
    en: ({ name, check, nearest }) => `the check \`${check}\` has no code \`${name}\`${en(nearest)}`,
    ro: ({ name, check, nearest }) => `verificarea \`${check}\` nu are codul \`${name}\`${ro(nearest)}`,
    fr: ({ name, check, nearest }) => `la vérification \`${check}\` n’a pas de code \`${name}\`${fr(nearest)}`,
  },
  'id-built-in': {
    en: ({ name }) => `\`${name}\` is the id of a built-in check: choose another`,
    ro: ({ name }) => `\`${name}\` este id-ul unei verificări încorporate: alegeți altul`,
    fr: ({ name }) => `\`${name}\` est l’id d’une vérification intégrée\u00a0: choisissez-en un autre`,
  },
  'id-twice': {
    en: ({ name }) => `another check already has the id \`${name}\``,
    ro: ({ name }) => `altă verificare are deja id-ul \`${name}\``,
    fr: ({ name }) => `une autre vérification a déjà l’id \`${name}\``,
  },
  'env-missing': {
    en: ({ name }) => `the environment variable ${name} is not set, or is empty`,
    ro: ({ name }) => `variabila de mediu ${name} nu este definită sau este goală`,
    fr: ({ name }) => `la variable d’environnement ${name} n’est pas définie ou est vide`,
  },
  'env-withheld': {
    en: ({ name }) =>
      `${name} is not read: this event has the secrets of the repository, and this file may only be proposed. Give the value in the workflow instead`,
    ro: ({ name }) =>
      `${name} nu se citește: acest eveniment are secretele depozitului, iar acest fișier poate fi doar propus. Dați valoarea în fluxul de lucru`,
    fr: ({ name }) =>
      `${name} n’est pas lue\u00a0: cet événement a les secrets du dépôt, et ce fichier n’est peut-être que proposé. Donnez plutôt la valeur dans le workflow`,
  },
  'env-syntax': {
    en: () => 'expected ${NAME} for an environment variable ($$ for a dollar sign)',
    ro: () => 'se așteaptă ${NUME} pentru o variabilă de mediu ($$ pentru semnul dolar)',
    fr: () => '${NOM} est attendu pour une variable d’environnement ($$ pour le signe dollar)',
  },
  schema: {
    en: ({ detail }) => `not a valid JSON Schema: ${detail}`,
    ro: ({ detail }) => `nu este o schemă JSON validă: ${detail}`,
    fr: ({ detail }) => `ce n’est pas un schéma JSON valide\u00a0: ${detail}`,
  },
  'schema-remote': {
    en: ({ ref }) => `the $ref ${ref} leads out of this schema, and nothing is fetched: put the definition under $defs`,
    ro: ({ ref }) => `$ref ${ref} iese din această schemă și nimic nu se descarcă: puneți definiția în $defs`,
    fr: ({ ref }) => `le $ref ${ref} sort de ce schéma et rien n’est téléchargé\u00a0: placez la définition dans $defs`,
  },
  'not-found': {
    en: () => 'there is no such file',
    ro: () => 'fișierul nu există',
    fr: () => 'le fichier n’existe pas',
  },
  unreadable: {
    en: ({ code }) => `the file cannot be read (${code})`,
    ro: ({ code }) => `fișierul nu poate fi citit (${code})`,
    fr: ({ code }) => `le fichier ne peut pas être lu (${code})`,
  },
  'too-large': {
    en: ({ most }) => `the file is larger than ${most} once it is read`,
    ro: ({ most }) => `fișierul depășește ${most} după citire`,
    fr: ({ most }) => `le fichier dépasse ${most} une fois lu`,
  },
  'file-type': {
    en: () => 'expected a file that ends in .yaml, .yml, .json, .ts, .js or .mjs',
    ro: () => 'se așteaptă un fișier cu extensia .yaml, .yml, .json, .ts, .js sau .mjs',
    fr: () => 'un fichier en .yaml, .yml, .json, .ts, .js ou .mjs est attendu',
  },
  'yaml-syntax': {
    en: () => 'this is not valid YAML',
    ro: () => 'acesta nu este YAML valid',
    fr: () => 'ce n’est pas du YAML valide',
  },
  'yaml-tab': {
    en: () => 'a tab indents this line: YAML wants spaces',
    ro: () => 'acest rând este indentat cu un tab: YAML cere spații',
    fr: () => 'cette ligne est indentée par une tabulation\u00a0: YAML veut des espaces',
  },
  'yaml-indent': {
    en: () => 'the indentation does not fit the lines around it',
    ro: () => 'indentarea nu se potrivește cu rândurile din jur',
    fr: () => 'l’indentation ne correspond pas aux lignes voisines',
  },
  'yaml-quote': {
    en: () => 'this quote is never closed',
    ro: () => 'ghilimelele deschise aici nu se închid nicăieri',
    fr: () => 'ce guillemet n’est jamais fermé',
  },
  'yaml-bracket': {
    en: () => 'a bracket opened before this is not closed, or not indented enough',
    ro: () => 'o paranteză deschisă mai sus nu este închisă sau nu este indentată suficient',
    fr: () => 'un crochet ou une accolade ouverts plus haut ne sont pas fermés, ou pas assez indentés',
  },
  'yaml-colon': {
    en: () => 'a second colon, or a line indented too far: put text that holds a colon in quotes',
    ro: () => 'două puncte a doua oară sau un rând indentat prea mult: puneți între ghilimele textul cu două puncte',
    fr: () =>
      'un second deux-points ou une ligne trop indentée\u00a0: mettez entre guillemets le texte qui contient un deux-points',
  },
  'yaml-character': {
    en: () => 'this text needs quotes: it begins with a character that YAML reserves, or holds a bad escape',
    ro: () => 'acest text cere ghilimele: începe cu un caracter rezervat de YAML sau are o secvență escape greșită',
    fr: () =>
      'ce texte demande des guillemets\u00a0: il commence par un caractère réservé de YAML ou contient un échappement erroné',
  },
  'yaml-documents': {
    en: () => 'expected one YAML document: a second one begins here',
    ro: () => 'se așteaptă un singur document YAML: aici începe al doilea',
    fr: () => 'un seul document YAML est attendu\u00a0: un second commence ici',
  },
  'yaml-alias': {
    en: () =>
      'this alias leads nowhere, into itself, or makes the file grow too large (text that begins with * needs quotes)',
    ro: () =>
      'acest alias nu duce nicăieri, duce în el însuși sau face fișierul prea mare (textul care începe cu * cere ghilimele)',
    fr: () =>
      'cet alias ne mène nulle part, mène à lui-même ou rend le fichier trop grand (un texte qui commence par * demande des guillemets)',
  },
  'yaml-tag': {
    en: () => 'tags and directives of YAML are not used here',
    ro: () => 'etichetele și directivele YAML nu se folosesc aici',
    fr: () => 'les étiquettes et directives YAML ne sont pas utilisées ici',
  },
  'yaml-deep': {
    en: () => 'lists and mappings are nested too deep',
    ro: () => 'listele și mapările sunt imbricate prea adânc',
    fr: () => 'les listes et dictionnaires sont trop imbriqués',
  },
  'json-syntax': {
    en: ({ code }) => JSON_SENTENCES[code].en,
    ro: ({ code }) => JSON_SENTENCES[code].ro,
    fr: ({ code }) => JSON_SENTENCES[code].fr,
  },
  module: {
    en: ({ detail }) => `the module cannot be loaded: ${detail}`,
    ro: ({ detail }) => `modulul nu poate fi încărcat: ${detail}`,
    fr: ({ detail }) => `le module ne peut pas être chargé\u00a0: ${detail}`,
  },
  'module-export': {
    en: () => 'expected `export default { … }`',
    ro: () => 'se așteaptă `export default { … }`',
    fr: () => '`export default { … }` est attendu',
  },
} as const satisfies { readonly [Kind in ExpectedKind]: Sentences<Kind> };
