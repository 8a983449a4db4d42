/** What is wrong with a configuration, in words: one sentence for each kind of mistake, in each language. */
import { printable } from '../printable.ts';
import type { Language } from '../texts.ts';
import type { ConfigProblem, Got } from './problem.ts';

type Name = { readonly name: string };
/** `nearest`: a known name that was probably meant. */
type Guess = Name & { readonly nearest?: string };
type Keys = { readonly values: readonly string[] };
type Most = { readonly most: string };
type Detail = { readonly detail: string };

/** The kinds of mistakes and their parameters: every other declaration of them follows from this table. */
const en = {
  mapping: 'expected a mapping (key: value)',
  list: 'expected a list',
  text: 'expected text that is not empty',
  texts: 'expected text that is not empty, or a list of such texts',
  boolean: 'expected true or false',
  integer: ({ least, most }: { readonly least: number; readonly most: number }) =>
    `expected a whole number from ${least} to ${most}`,
  rate: 'expected a number of requests a second, such as 10 or 0.5 (0: as fast as the host answers)',
  'one-of': ({ values }: Keys) => `expected one of: ${values.join(', ')}`,
  duration: 'expected a duration such as 10s',
  'duration-unit': ({ days }: { readonly days: boolean }) =>
    `expected a duration with its unit (${days ? 'ms, s, m, h or d' : 'ms, s, m or h'}), such as 10s`,
  'duration-range': ({ least, most }: { readonly least: string; readonly most: string }) =>
    `expected a duration from ${least} to ${most}`,
  size: 'expected a size such as 10MiB, or a number of bytes',
  'size-range': ({ most }: Most) => `expected a size from 1 byte to ${most}`,
  url: 'expected an http or https URL such as https://docs.example.org/',
  'file-url': 'expected an http or https URL: a site opened through file:// does not work, serve it over HTTP',
  status: 'expected an HTTP status from 100 to 599, or a list of them',
  'media-type': 'expected a media type such as text/plain, or a list of them',
  json: 'expected true, or a mapping with `schema`',
  true: 'expected true (or leave the key out)',
  fix: 'expected text that is not empty, or a mapping with `en` and optionally `ro` and `fr`',
  'own-id': 'expected lower-case words joined with hyphens, such as release-notes',
  path: 'expected a path relative to the site, such as guide/index.md',
  'path-outside': 'expected a path inside the site: this one leads outside its base URL',
  regex: 'expected a valid regular expression between slashes (flags: i m s u v)',
  'version-from': 'expected a path, then `#` and a JSON Pointer or a regular expression, such as version.json#/commit',
  resolve: 'expected host:port:address such as docs.example.org:443:192.0.2.10',
  'rule-key': 'expected `<check id>/<rule>` such as navigation/no-links',
  'header-name': 'expected a header name: letters, digits and hyphens',
  'header-value': 'expected a header value without line breaks, control characters or characters beyond Latin-1',
  'header-reserved': ({ name }: Name) => `the header \`${name}\` is set by the HTTP client and cannot be given here`,
  'monitor-id': 'expected lower-case words joined with hyphens, at most 64 characters, such as docs',
  schedule: 'expected a mapping with `every` or `cron`, or false for never',
  cron: 'expected a cron expression such as */5 * * * * (minute, hour, day, month, day of the week)',
  'cron-never': 'this cron expression never matches: the day does not exist',
  time: 'expected a time with its time zone, such as 2026-12-01T22:00:00Z or 2026-12-01T23:00:00+01:00',
  'time-zone': ({ name, nearest }: Guess) =>
    `unknown time zone \`${name}\`${meant('en', nearest)}; expected a name such as Europe/Paris`,
  'time-order': 'expected a time after `from`',
  'longer-than': ({ name }: Name) => `expected a duration that is no longer than \`${name}\``,
  listen: 'expected host:port, such as 127.0.0.1:9464 or [::1]:9464',
  'host-port': 'expected host:port, such as 192.0.2.1:443',
  'probe-target':
    'expected an http or https URL, a host such as docs.example.com or *.example.com, or a network such as 10.0.0.0/8',
  'ntfy-topic': 'expected the address of a topic, such as https://ntfy.sh/my-topic',
  'mail-server':
    'expected the address of a mail server, such as smtp://mail.example.com:587 or smtps://mail.example.com',
  'mail-address': 'expected an e-mail address such as ops@example.com',
  'mail-addresses': 'expected an e-mail address such as ops@example.com, or a list of them',
  repository: 'expected owner/name of a repository on GitHub, such as example/docs',
  program: 'expected a list that is not empty: the program, then its arguments',
  'one-key': ({ values }: Keys) => `expected exactly one of the keys ${values.join(', ')}`,
  'both-keys': ({ name, other }: Name & { readonly other: string }) =>
    `\`${name}\` and \`${other}\` exclude each other`,
  'site-twice': ({ name }: Name) => `another site already has the id \`${name}\``,
  'route-twice': ({ name }: Name) => `another notification route already has the id \`${name}\``,
  'unknown-route': ({ name, nearest }: Guess) => `unknown notification route \`${name}\`${meant('en', nearest)}`,
  'module-built-in': ({ name }: Name) => `\`${name}\` is a built-in module: choose another name`,
  'no-quick-check': 'no check is left for the frequent runs: keep a core check or a check of your own',
  'unknown-key': ({ name, nearest }: Guess) => `unknown key \`${name}\`${meant('en', nearest)}`,
  'missing-key': ({ name }: Name) => `the key \`${name}\` is missing`,
  'duplicate-key': ({ name }: Name) => `the key \`${name}\` is repeated`,
  'unknown-check': ({ name, nearest }: Guess) => `unknown check \`${name}\`${meant('en', nearest)}`,
  'unknown-code': ({ name, check, nearest }: Guess & { readonly check: string }) =>
    `the check \`${check}\` has no rule \`${name}\`${meant('en', nearest)}`,
  'id-built-in': ({ name }: Name) => `\`${name}\` is the id of a built-in check: choose another`,
  'id-twice': ({ name }: Name) => `another check already has the id \`${name}\``,
  'env-missing': ({ name }: Name) => `the environment variable ${name} is not set, or is empty`,
  'env-withheld': ({ name }: Name) =>
    `${name} is not read: this event has the secrets of the repository, and this file may only be proposed. Give the value in the workflow instead`,
  'env-syntax': 'expected ${NAME} for an environment variable ($$ for a dollar sign)',
  schema: ({ detail }: Detail) => `not a valid JSON Schema: ${detail}`,
  'schema-remote': ({ ref }: { readonly ref: string }) =>
    `the $ref ${ref} refers to another schema, which is not fetched: put the definition under $defs`,
  'not-found': 'the file does not exist',
  unreadable: ({ code }: { readonly code: string }) => `the file cannot be read (${code})`,
  'too-large': ({ most }: Most) => `the file is larger than ${most}`,
  'file-type': 'expected a file that ends in .yaml, .yml, .json, .ts, .js or .mjs',
  'yaml-syntax': 'this is not valid YAML',
  'yaml-tab': 'this line is indented with a tab: YAML requires spaces',
  'yaml-indent': 'the indentation does not match the lines around it',
  'yaml-quote': 'this quote is never closed',
  'yaml-bracket': 'a bracket opened before this is not closed, or not indented enough',
  'yaml-colon': 'a second colon, or a line indented too far: put text that contains a colon in quotes',
  'yaml-character':
    'this text needs quotes: it begins with a character that YAML reserves, or contains an invalid escape',
  'yaml-documents': 'expected one YAML document: a second one begins here',
  'yaml-alias':
    'this alias has no anchor, refers to itself, or makes the file too large (text that begins with * needs quotes)',
  'yaml-tag': 'YAML tags and directives are not supported',
  'yaml-deep': 'lists and mappings are nested too deep',
  module: ({ detail }: Detail) => `the module cannot be loaded: ${detail}`,
  'module-export': 'expected `export default { … }`',
  'json-trailing-comma': 'expected no comma before the closing bracket',
  'json-unclosed-string': 'expected a closing quote for this string',
  'json-control-character': 'expected no tab or control character in a string',
  'json-comment': 'expected no comment: JSON has none',
  'json-single-quotes': 'expected double quotes',
  'json-unquoted-key': 'expected a key in double quotes',
  'json-missing-comma': 'expected a comma here',
  'json-not-a-number': 'expected a JSON value: NaN, Infinity and undefined are not JSON',
  'json-cut-short': 'the file ends too early',
  'json-text-after-end': 'expected nothing after the end of the value',
  'json-parse-limit': 'expected a configuration with fewer values',
  'json-syntax': 'expected valid JSON',
} as const satisfies Readonly<Record<string, string | ((params: never) => string)>>;

/** The same sentences in another language. */
type Sentences = {
  readonly [Kind in keyof typeof en]: (typeof en)[Kind] extends (params: infer Params) => string
    ? (params: Params) => string
    : string;
};

const ro: Sentences = {
  mapping: 'se așteaptă o mapare (cheie: valoare)',
  list: 'se așteaptă o listă',
  text: 'se așteaptă un text nevid',
  texts: 'se așteaptă un text nevid sau o listă de astfel de texte',
  boolean: 'se așteaptă true sau false',
  integer: ({ least, most }) => `se așteaptă un număr întreg de la ${least} la ${most}`,
  rate: 'se așteaptă un număr de cereri pe secundă, de exemplu 10 sau 0.5 (0: cât de repede răspunde gazda)',
  'one-of': ({ values }) => `se așteaptă una dintre valorile: ${values.join(', ')}`,
  duration: 'se așteaptă o durată, de exemplu 10s',
  'duration-unit': ({ days }) =>
    `se așteaptă o durată cu unitatea ei (${days ? 'ms, s, m, h sau d' : 'ms, s, m sau h'}), de exemplu 10s`,
  'duration-range': ({ least, most }) => `se așteaptă o durată de la ${least} la ${most}`,
  size: 'se așteaptă o dimensiune, de exemplu 10MiB, sau un număr de octeți',
  'size-range': ({ most }) => `se așteaptă o dimensiune de la 1 octet la ${most}`,
  url: 'se așteaptă un URL http sau https, de exemplu https://docs.example.org/',
  'file-url': 'se așteaptă un URL http sau https: un site deschis prin file:// nu funcționează, serviți-l prin HTTP',
  status: 'se așteaptă un cod de stare HTTP de la 100 la 599 sau o listă de coduri',
  'media-type': 'se așteaptă un tip media, de exemplu text/plain, sau o listă de tipuri',
  json: 'se așteaptă true sau o mapare cu `schema`',
  true: 'se așteaptă true (sau omiteți cheia)',
  fix: 'se așteaptă un text nevid sau o mapare cu `en` și, opțional, `ro` și `fr`',
  'own-id': 'se așteaptă cuvinte cu litere mici legate prin cratimă, de exemplu release-notes',
  path: 'se așteaptă o cale relativă la site, de exemplu guide/index.md',
  'path-outside': 'se așteaptă o cale din interiorul site-ului: aceasta iese din baza lui',
  regex: 'se așteaptă o expresie regulată validă între bare oblice (opțiuni: i m s u v)',
  'version-from':
    'se așteaptă o cale, apoi `#` și un JSON Pointer sau o expresie regulată, de exemplu version.json#/commit',
  resolve: 'se așteaptă gazdă:port:adresă, de exemplu docs.example.org:443:192.0.2.10',
  'rule-key': 'se așteaptă `<id-ul verificării>/<regulă>`, de exemplu navigation/no-links',
  'header-name': 'se așteaptă un nume de antet: litere, cifre și cratime',
  'header-value': 'se așteaptă o valoare de antet fără sfârșit de rând, caractere de control sau din afara Latin-1',
  'header-reserved': ({ name }) => `antetul \`${name}\` este stabilit de clientul HTTP și nu poate fi dat aici`,
  'monitor-id': 'se așteaptă cuvinte cu litere mici legate prin cratimă, cel mult 64 de caractere, de exemplu docs',
  schedule: 'se așteaptă o mapare cu `every` sau `cron`, ori false pentru niciodată',
  cron: 'se așteaptă o expresie cron, de exemplu */5 * * * * (minut, oră, zi, lună, ziua săptămânii)',
  'cron-never': 'această expresie cron nu se potrivește niciodată: ziua nu există',
  time: 'se așteaptă o oră cu fusul ei, de exemplu 2026-12-01T22:00:00Z sau 2026-12-01T23:00:00+01:00',
  'time-zone': ({ name, nearest }) =>
    `fus orar necunoscut \`${name}\`${meant('ro', nearest)}; se așteaptă un nume, de exemplu Europe/Bucharest`,
  'time-order': 'se așteaptă o oră de după `from`',
  'longer-than': ({ name }) => `se așteaptă o durată care nu depășește \`${name}\``,
  listen: 'se așteaptă gazdă:port, de exemplu 127.0.0.1:9464 sau [::1]:9464',
  'host-port': 'se așteaptă gazdă:port, de exemplu 192.0.2.1:443',
  'probe-target':
    'se așteaptă un URL http sau https, o gazdă, de exemplu docs.example.com sau *.example.com, ori o rețea, de exemplu 10.0.0.0/8',
  'ntfy-topic': 'se așteaptă adresa unui subiect (topic), de exemplu https://ntfy.sh/my-topic',
  'mail-server':
    'se așteaptă adresa unui server de e-mail, de exemplu smtp://mail.example.com:587 sau smtps://mail.example.com',
  'mail-address': 'se așteaptă o adresă de e-mail, de exemplu ops@example.com',
  'mail-addresses': 'se așteaptă o adresă de e-mail, de exemplu ops@example.com, sau o listă de adrese',
  repository: 'se așteaptă proprietar/nume al unui depozit de pe GitHub, de exemplu example/docs',
  program: 'se așteaptă o listă nevidă: programul, apoi argumentele lui',
  'one-key': ({ values }) => `se așteaptă exact una dintre cheile ${values.join(', ')}`,
  'both-keys': ({ name, other }) => `\`${name}\` și \`${other}\` se exclud reciproc`,
  'site-twice': ({ name }) => `alt site are deja id-ul \`${name}\``,
  'route-twice': ({ name }) => `altă rută de notificare are deja id-ul \`${name}\``,
  'unknown-route': ({ name, nearest }) => `rută de notificare necunoscută \`${name}\`${meant('ro', nearest)}`,
  'module-built-in': ({ name }) => `\`${name}\` este un modul încorporat: alegeți alt nume`,
  'no-quick-check': 'nu rămâne nicio verificare pentru rulările dese: păstrați o verificare de bază sau una proprie',
  'unknown-key': ({ name, nearest }) => `cheie necunoscută \`${name}\`${meant('ro', nearest)}`,
  'missing-key': ({ name }) => `lipsește cheia \`${name}\``,
  'duplicate-key': ({ name }) => `cheia \`${name}\` se repetă`,
  'unknown-check': ({ name, nearest }) => `verificare necunoscută \`${name}\`${meant('ro', nearest)}`,
  'unknown-code': ({ name, check, nearest }) =>
    `verificarea \`${check}\` nu are regula \`${name}\`${meant('ro', nearest)}`,
  'id-built-in': ({ name }) => `\`${name}\` este id-ul unei verificări încorporate: alegeți altul`,
  'id-twice': ({ name }) => `altă verificare are deja id-ul \`${name}\``,
  'env-missing': ({ name }) => `variabila de mediu ${name} nu este definită sau este goală`,
  'env-withheld': ({ name }) =>
    `${name} nu se citește: acest eveniment are secretele depozitului, iar acest fișier poate fi doar propus. Dați valoarea în fluxul de lucru`,
  'env-syntax': 'se așteaptă ${NUME} pentru o variabilă de mediu ($$ pentru semnul dolar)',
  schema: ({ detail }) => `nu este o schemă JSON validă: ${detail}`,
  'schema-remote': ({ ref }) => `$ref ${ref} trimite la altă schemă, care nu se descarcă: puneți definiția în $defs`,
  'not-found': 'fișierul nu există',
  unreadable: ({ code }) => `fișierul nu poate fi citit (${code})`,
  'too-large': ({ most }) => `fișierul depășește ${most}`,
  'file-type': 'se așteaptă un fișier cu extensia .yaml, .yml, .json, .ts, .js sau .mjs',
  'yaml-syntax': 'acesta nu este YAML valid',
  'yaml-tab': 'acest rând este indentat cu un tab: YAML cere spații',
  'yaml-indent': 'indentarea nu se potrivește cu rândurile din jur',
  'yaml-quote': 'ghilimelele deschise aici nu se închid nicăieri',
  'yaml-bracket': 'o paranteză deschisă mai sus nu este închisă sau nu este indentată suficient',
  'yaml-colon': 'două puncte a doua oară sau un rând indentat prea mult: puneți între ghilimele textul cu două puncte',
  'yaml-character':
    'acest text cere ghilimele: începe cu un caracter rezervat de YAML sau are o secvență escape greșită',
  'yaml-documents': 'se așteaptă un singur document YAML: aici începe al doilea',
  'yaml-alias':
    'acest alias nu are ancoră, se referă la el însuși sau face fișierul prea mare (textul care începe cu * cere ghilimele)',
  'yaml-tag': 'etichetele și directivele YAML nu sunt acceptate',
  'yaml-deep': 'listele și mapările sunt imbricate prea adânc',
  module: ({ detail }) => `modulul nu poate fi încărcat: ${detail}`,
  'module-export': 'se așteaptă `export default { … }`',
  'json-trailing-comma': 'nu se așteaptă virgulă înaintea parantezei de închidere',
  'json-unclosed-string': 'se așteaptă ghilimelele de închidere ale acestui șir',
  'json-control-character': 'nu se așteaptă tab sau caracter de control într-un șir',
  'json-comment': 'nu se așteaptă comentarii: JSON nu are',
  'json-single-quotes': 'se așteaptă ghilimele duble',
  'json-unquoted-key': 'se așteaptă o cheie între ghilimele duble',
  'json-missing-comma': 'se așteaptă o virgulă aici',
  'json-not-a-number': 'se așteaptă o valoare JSON: NaN, Infinity și undefined nu fac parte din JSON',
  'json-cut-short': 'fișierul se termină prea devreme',
  'json-text-after-end': 'nu se așteaptă nimic după sfârșitul valorii',
  'json-parse-limit': 'se așteaptă o configurație cu mai puține valori',
  'json-syntax': 'se așteaptă JSON valid',
};

const fr: Sentences = {
  mapping: 'un dictionnaire (clé: valeur) est attendu',
  list: 'une liste est attendue',
  text: 'un texte non vide est attendu',
  texts: 'un texte non vide ou une liste de tels textes est attendu',
  boolean: 'true ou false est attendu',
  integer: ({ least, most }) => `un nombre entier de ${least} à ${most} est attendu`,
  rate: 'un nombre de requêtes par seconde est attendu, par exemple 10 ou 0.5 (0\u00a0: aussi vite que l’hôte répond)',
  'one-of': ({ values }) => `une de ces valeurs est attendue\u00a0: ${values.join(', ')}`,
  duration: 'une durée est attendue, par exemple 10s',
  'duration-unit': ({ days }) =>
    `une durée avec son unité (${days ? 'ms, s, m, h ou d' : 'ms, s, m ou h'}) est attendue, par exemple 10s`,
  'duration-range': ({ least, most }) => `une durée de ${least} à ${most} est attendue`,
  size: 'une taille est attendue, par exemple 10MiB, ou un nombre d’octets',
  'size-range': ({ most }) => `une taille de 1 octet à ${most} est attendue`,
  url: 'une URL http ou https est attendue, par exemple https://docs.example.org/',
  'file-url':
    'une URL http ou https est attendue\u00a0: un site ouvert par file:// ne fonctionne pas, servez-le en HTTP',
  status: 'un code d’état HTTP de 100 à 599 ou une liste de codes est attendu',
  'media-type': 'un type de média est attendu, par exemple text/plain, ou une liste de types',
  json: 'true ou un dictionnaire avec `schema` est attendu',
  true: 'true est attendu (ou omettez la clé)',
  fix: 'un texte non vide ou un dictionnaire avec `en` et, au besoin, `ro` et `fr` est attendu',
  'own-id': 'des mots en minuscules reliés par des traits d’union sont attendus, par exemple release-notes',
  path: 'un chemin relatif au site est attendu, par exemple guide/index.md',
  'path-outside': 'un chemin à l’intérieur du site est attendu\u00a0: celui-ci sort de sa base',
  regex: 'une expression régulière valide entre barres obliques est attendue (options\u00a0: i m s u v)',
  'version-from':
    'un chemin, puis `#` et un JSON Pointer ou une expression régulière, est attendu, par exemple version.json#/commit',
  resolve: 'hôte:port:adresse est attendu, par exemple docs.example.org:443:192.0.2.10',
  'rule-key': '`<id du contrôle>/<règle>` est attendu, par exemple navigation/no-links',
  'header-name': 'un nom d’en-tête est attendu\u00a0: lettres, chiffres et traits d’union',
  'header-value': 'une valeur d’en-tête sans saut de ligne, ni caractère de contrôle ou hors Latin-1, est attendue',
  'header-reserved': ({ name }) => `l’en-tête \`${name}\` est défini par le client HTTP et ne peut pas être donné ici`,
  'monitor-id':
    'des mots en minuscules reliés par des traits d’union, 64 caractères au plus, sont attendus, par exemple docs',
  schedule: 'un dictionnaire avec `every` ou `cron`, ou false pour jamais, est attendu',
  cron: 'une expression cron est attendue, par exemple */5 * * * * (minute, heure, jour, mois, jour de semaine)',
  'cron-never': 'cette expression cron ne correspond jamais\u00a0: ce jour n’existe pas',
  time: 'une heure avec son fuseau est attendue, par exemple 2026-12-01T22:00:00Z ou 2026-12-01T23:00:00+01:00',
  'time-zone': ({ name, nearest }) =>
    `fuseau horaire inconnu \`${name}\`${meant('fr', nearest)}\u00a0; un nom est attendu, par exemple Europe/Paris`,
  'time-order': 'une heure postérieure à `from` est attendue',
  'longer-than': ({ name }) => `une durée qui ne dépasse pas \`${name}\` est attendue`,
  listen: 'hôte:port est attendu, par exemple 127.0.0.1:9464 ou [::1]:9464',
  'host-port': 'hôte:port est attendu, par exemple 192.0.2.1:443',
  'probe-target':
    'une URL http ou https, un hôte comme docs.example.com ou *.example.com, ou un réseau comme 10.0.0.0/8 est attendu',
  'ntfy-topic': 'l’adresse d’un sujet (topic) est attendue, par exemple https://ntfy.sh/my-topic',
  'mail-server':
    'l’adresse d’un serveur de messagerie est attendue, par exemple smtp://mail.example.com:587 ou smtps://mail.example.com',
  'mail-address': 'une adresse de courriel est attendue, par exemple ops@example.com',
  'mail-addresses': 'une adresse de courriel, par exemple ops@example.com, ou une liste d’adresses est attendue',
  repository: 'propriétaire/nom d’un dépôt sur GitHub est attendu, par exemple example/docs',
  program: 'une liste non vide est attendue\u00a0: le programme, puis ses arguments',
  'one-key': ({ values }) => `exactement une des clés ${values.join(', ')} est attendue`,
  'both-keys': ({ name, other }) => `\`${name}\` et \`${other}\` s’excluent mutuellement`,
  'site-twice': ({ name }) => `un autre site a déjà l’id \`${name}\``,
  'route-twice': ({ name }) => `une autre route de notification a déjà l’id \`${name}\``,
  'unknown-route': ({ name, nearest }) => `route de notification inconnue \`${name}\`${meant('fr', nearest)}`,
  'module-built-in': ({ name }) => `\`${name}\` est un module intégré\u00a0: choisissez un autre nom`,
  'no-quick-check':
    'il ne reste aucun contrôle pour les exécutions fréquentes\u00a0: gardez un contrôle de base ou l’un des vôtres',
  'unknown-key': ({ name, nearest }) => `clé inconnue \`${name}\`${meant('fr', nearest)}`,
  'missing-key': ({ name }) => `la clé \`${name}\` manque`,
  'duplicate-key': ({ name }) => `la clé \`${name}\` est répétée`,
  'unknown-check': ({ name, nearest }) => `contrôle inconnu \`${name}\`${meant('fr', nearest)}`,
  'unknown-code': ({ name, check, nearest }) =>
    `le contrôle \`${check}\` n’a pas de règle \`${name}\`${meant('fr', nearest)}`,
  'id-built-in': ({ name }) => `\`${name}\` est l’id d’un contrôle intégré\u00a0: choisissez-en un autre`,
  'id-twice': ({ name }) => `un autre contrôle a déjà l’id \`${name}\``,
  'env-missing': ({ name }) => `la variable d’environnement ${name} n’est pas définie ou est vide`,
  'env-withheld': ({ name }) =>
    `${name} n’est pas lue\u00a0: cet événement a les secrets du dépôt, et ce fichier n’est peut-être que proposé. Donnez plutôt la valeur dans le workflow`,
  'env-syntax': '${NOM} est attendu pour une variable d’environnement ($$ pour le signe dollar)',
  schema: ({ detail }) => `ce n’est pas un schéma JSON valide\u00a0: ${detail}`,
  'schema-remote': ({ ref }) =>
    `le $ref ${ref} renvoie à un autre schéma, qui n’est pas téléchargé\u00a0: placez la définition dans $defs`,
  'not-found': 'le fichier n’existe pas',
  unreadable: ({ code }) => `le fichier ne peut pas être lu (${code})`,
  'too-large': ({ most }) => `le fichier dépasse ${most}`,
  'file-type': 'un fichier en .yaml, .yml, .json, .ts, .js ou .mjs est attendu',
  'yaml-syntax': 'ce n’est pas du YAML valide',
  'yaml-tab': 'cette ligne est indentée par une tabulation\u00a0: YAML exige des espaces',
  'yaml-indent': 'l’indentation ne correspond pas aux lignes voisines',
  'yaml-quote': 'ce guillemet n’est jamais fermé',
  'yaml-bracket': 'un crochet ou une accolade ouverts plus haut ne sont pas fermés, ou pas assez indentés',
  'yaml-colon':
    'un second deux-points ou une ligne trop indentée\u00a0: mettez entre guillemets le texte qui contient un deux-points',
  'yaml-character':
    'ce texte demande des guillemets\u00a0: il commence par un caractère réservé de YAML ou contient un échappement erroné',
  'yaml-documents': 'un seul document YAML est attendu\u00a0: un second commence ici',
  'yaml-alias':
    'cet alias n’a pas d’ancre, renvoie à lui-même ou rend le fichier trop grand (un texte qui commence par * demande des guillemets)',
  'yaml-tag': 'les étiquettes et directives YAML ne sont pas prises en charge',
  'yaml-deep': 'les listes et dictionnaires sont trop imbriqués',
  module: ({ detail }) => `le module ne peut pas être chargé\u00a0: ${detail}`,
  'module-export': '`export default { … }` est attendu',
  'json-trailing-comma': 'aucune virgule n’est attendue avant le crochet fermant',
  'json-unclosed-string': 'le guillemet fermant de cette chaîne est attendu',
  'json-control-character': 'ni tabulation ni caractère de contrôle n’est attendu dans une chaîne',
  'json-comment': 'aucun commentaire n’est attendu\u00a0: JSON n’en a pas',
  'json-single-quotes': 'des guillemets doubles sont attendus',
  'json-unquoted-key': 'une clé entre guillemets doubles est attendue',
  'json-missing-comma': 'une virgule est attendue ici',
  'json-not-a-number': 'une valeur JSON est attendue\u00a0: NaN, Infinity et undefined n’en sont pas',
  'json-cut-short': 'le fichier se termine trop tôt',
  'json-text-after-end': 'rien n’est attendu après la fin de la valeur',
  'json-parse-limit': 'une configuration avec moins de valeurs est attendue',
  'json-syntax': 'du JSON valide est attendu',
};

/** The sentence of every kind of mistake, in every language. */
export const SENTENCES = { en, ro, fr } satisfies Readonly<Record<Language, Sentences>>;

type ParamsOf<Sentence> = Sentence extends (params: infer Params) => string ? Params : unknown;

/** A kind of mistake with its parameters. */
export type Expected = {
  readonly [Kind in keyof typeof en]: { readonly kind: Kind } & ParamsOf<(typeof en)[Kind]>;
}[keyof typeof en];

const GOT: Readonly<
  Record<Language, { readonly got: (text: string) => string } & Record<Exclude<Got['kind'], 'value'>, string>>
> = {
  en: { got: (text) => `, got ${text}`, list: 'a list', mapping: 'a mapping', nothing: 'nothing' },
  ro: { got: (text) => `, dar este ${text}`, list: 'o listă', mapping: 'o mapare', nothing: 'nimic' },
  fr: { got: (text) => `, reçu\u00a0: ${text}`, list: 'une liste', mapping: 'un dictionnaire', nothing: 'rien' },
};

/** What follows a name that is unknown, if another one is close. */
function meant(language: Language, name: string | undefined): string {
  if (name === undefined) return '';
  if (language === 'fr') return ` (vouliez-vous dire \`${name}\`\u00a0?)`;
  return ` (${language === 'ro' ? 'ați vrut să scrieți' : 'did you mean'} \`${name}\`?)`;
}

/**
 * A mistake as one line: `docvitals.yaml:3:12: limits.timeout: expected a duration such as 10s, got "10 seconds"`.
 * Control characters and bidirectional marks are escaped.
 */
export function renderProblem({ file, line, column, key, expected, got }: ConfigProblem, language: Language): string {
  const location = line === null ? file : `${file}:${line}:${column ?? 1}`;
  const sentence = SENTENCES[language][expected.kind] as string | ((params: Expected) => string);
  const wrong = typeof sentence === 'string' ? sentence : sentence(expected);
  const words = GOT[language];
  const instead = got === undefined ? '' : words.got(got.kind === 'value' ? got.text : words[got.kind]);
  return printable(`${location}: ${key === '' ? '' : `${key}: `}${wrong}${instead}`);
}
