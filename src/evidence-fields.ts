/**
 * Every field that evidence may have: what its value is, and its label in English, Romanian and French. Reports for
 * people print the labels; JSON keeps the names. Evidence with a field that is not listed here does not compile.
 * Labels begin in lower case, because a field of a list's item is printed in the middle of a line.
 */
import type { Reason } from './http/reasons.ts';

/** A text in English, Romanian and French. */
export type Wording = readonly [en: string, ro: string, fr: string];

/** Words for the values of a closed list. A value that is not in it is printed as received. */
export type Vocabulary = Readonly<Record<string, Wording>>;

/** `text` is printed as received; all other formats are written in the reader's language. */
export type Format = 'text' | 'count' | 'bytes' | 'ms' | 'seconds' | 'time' | 'flag' | Vocabulary;

type Field = readonly [format: Format, ...labels: Wording];

const REASON_WORDS = {
  'dns-not-found': ['host name not found', 'nume de gazdă negăsit', 'nom d’hôte introuvable'],
  'dns-temporary': ['temporary DNS error', 'eroare DNS temporară', 'erreur DNS temporaire'],
  'dns-timeout': ['DNS timeout', 'DNS fără răspuns la timp', 'délai DNS dépassé'],
  refused: ['connection refused', 'conexiune refuzată', 'connexion refusée'],
  unreachable: ['host unreachable', 'gazdă inaccesibilă', 'hôte injoignable'],
  'connect-timeout': ['connection timeout', 'conexiune nestabilită la timp', 'délai de connexion dépassé'],
  'tls-expired': [
    'certificate expired or not yet valid',
    'certificat expirat sau încă nevalabil',
    'certificat expiré ou pas encore valable',
  ],
  'tls-hostname': [
    'certificate for another host name',
    'certificat pentru alt nume de gazdă',
    'certificat d’un autre nom d’hôte',
  ],
  'tls-untrusted': ['certificate not trusted', 'certificat neacceptat', 'certificat non reconnu'],
  'tls-protocol': ['TLS handshake failed', 'negociere TLS eșuată', 'négociation TLS échouée'],
  'tls-timeout': ['TLS handshake timeout', 'negociere TLS neterminată la timp', 'délai de négociation TLS dépassé'],
  reset: ['connection closed early', 'conexiune închisă prea devreme', 'connexion fermée trop tôt'],
  'headers-timeout': ['no response in time', 'niciun răspuns la timp', 'pas de réponse à temps'],
  'headers-too-large': [
    'response headers too large',
    'antete de răspuns prea mari',
    'en-têtes de réponse trop volumineux',
  ],
  'body-timeout': ['body not complete in time', 'conținut incomplet la timp', 'corps incomplet à temps'],
  'too-large': ['response too large', 'răspuns prea mare', 'réponse trop volumineuse'],
  truncated: ['response cut off', 'răspuns trunchiat', 'réponse tronquée'],
  'bad-encoding': [
    'response cannot be decompressed',
    'răspuns imposibil de decomprimat',
    'réponse impossible à décompresser',
  ],
  'bad-framing': ['invalid HTTP response', 'răspuns HTTP nevalid', 'réponse HTTP non valide'],
  'bad-redirect': ['invalid redirect', 'redirecționare nevalidă', 'redirection non valide'],
  'redirect-loop': ['redirect loop', 'redirecționări în cerc', 'boucle de redirections'],
  'blocked-address': ['address blocked', 'adresă blocată', 'adresse bloquée'],
  'proxy-failed': ['proxy failed', 'proxy defect', 'proxy en échec'],
  'no-network': ['no network', 'fără rețea', 'pas de réseau'],
  'out-of-descriptors': [
    'no file descriptors left',
    'descriptori de fișier epuizați',
    'plus de descripteurs de fichiers',
  ],
  interrupted: ['run interrupted', 'rulare întreruptă', 'exécution interrompue'],
} as const satisfies Readonly<Record<Reason, Wording>>;

const HOST_WORDS = {
  server: ['plain web server', 'server web simplu', 'serveur web simple'],
  platform: ['hosting platform', 'platformă de găzduire', 'plateforme d’hébergement'],
  worker: ['edge worker', 'edge worker', 'edge worker'],
} as const satisfies Vocabulary;

/** How the kind of host was detected, or which limits left something out. */
const BY_WORDS = {
  option: ['the --host option', 'opțiunea --host', 'l’option --host'],
  address: ['the site’s address', 'adresa site-ului', 'l’adresse du site'],
  header: ['a response header', 'un antet de răspuns', 'un en-tête de réponse'],
  behaviour: ['its responses', 'răspunsurile ei', 'ses réponses'],
  pages: ['maximum number of pages', 'numărul maxim de pagini', 'nombre maximal de pages'],
  depth: ['maximum depth', 'adâncimea maximă', 'profondeur maximale'],
  time: ['time of the run', 'durata rulării', 'durée de l’exécution'],
  size: ['size of pages or links', 'dimensiunea paginilor sau a linkurilor', 'taille des pages ou des liens'],
} as const satisfies Vocabulary;

/** What a host returned for names that do not exist. */
const OUTCOME_WORDS = {
  ...REASON_WORDS,
  missing: ['404 or 410', '404 sau 410', '404 ou 410'],
  bundle: ['engine bundle', 'pachetul motorului', 'bundle du moteur'],
  other: ['another page', 'altă pagină', 'une autre page'],
  redirected: ['redirect', 'redirecționare', 'redirection'],
  forbidden: ['forbidden', 'acces interzis', 'accès interdit'],
  'server-error': ['server error', 'eroare de server', 'erreur de serveur'],
  'rate-limited': ['too many requests', 'prea multe cereri', 'trop de requêtes'],
  status: ['unusual status', 'stare neobișnuită', 'code d’état inhabituel'],
} as const satisfies Vocabulary;

/** What visitors see. */
const VISITORS_WORDS = {
  blank: ['a blank page', 'o pagină goală', 'une page blanche'],
  defaults: ['the site with default settings', 'site-ul cu setări implicite', 'le site avec les réglages par défaut'],
  either: [
    'a blank page or the site with default settings, depending on the version of the engine',
    'o pagină goală sau site-ul cu setări implicite, în funcție de versiunea motorului',
    'une page blanche ou le site avec les réglages par défaut, selon la version du moteur',
  ],
} as const satisfies Vocabulary;

/** Kinds of names that were requested without such a file. */
const NAME_WORDS = {
  md: ['.md', '.md', '.md'],
  json: ['.json', '.json', '.json'],
  js: ['.js', '.js', '.js'],
  txt: ['.txt', '.txt', '.txt'],
  none: ['no extension', 'fără extensie', 'sans extension'],
  folder: ['folder', 'director', 'dossier'],
} as const satisfies Vocabulary;

const KIND_WORDS = {
  script: ['script', 'script', 'script'],
  chunk: ['script chunk', 'fragment de script', 'fragment de script'],
  modulepreload: ['preloaded module', 'modul preîncărcat', 'module préchargé'],
  preload: ['preloaded file', 'fișier preîncărcat', 'fichier préchargé'],
  style: ['stylesheet', 'foaie de stil', 'feuille de style'],
  icon: ['icon', 'pictogramă', 'icône'],
  manifest: ['manifest', 'manifest', 'manifeste'],
  image: ['image', 'imagine', 'image'],
  font: ['font', 'font', 'police'],
  media: ['audio or video', 'audio sau video', 'audio ou vidéo'],
  frame: ['frame', 'cadru', 'cadre'],
  misspelt: ['misspelt name', 'nume scris greșit', 'nom mal écrit'],
  'no-colon': ['missing colon', 'două puncte lipsă', 'deux-points manquant'],
  'outside-group': ['rule before any User-agent', 'regulă înaintea oricărui User-agent', 'règle avant tout User-agent'],
  'relative-path': [
    'path without leading slash',
    'cale fără bară oblică la început',
    'chemin sans barre oblique au début',
  ],
  'no-agent': ['User-agent without a name', 'User-agent fără nume', 'User-agent sans nom'],
} as const satisfies Vocabulary;

const DIAGNOSIS_WORDS = {
  'letter-case': ['different letter case', 'litere mari și mici diferite', 'casse différente'],
  'unicode-form': ['different Unicode form', 'altă formă Unicode', 'autre forme Unicode'],
  encoding: ['different percent-encoding', 'altă codare procentuală', 'autre encodage pourcent'],
  'missing-extension': ['missing extension', 'extensie lipsă', 'extension absente'],
  'wrong-extension': ['different extension', 'altă extensie', 'autre extension'],
  'folder-index': ['folder named in another way', 'director numit altfel', 'dossier nommé autrement'],
  moved: ['moved to another folder', 'mutat în alt director', 'déplacé dans un autre dossier'],
  'similar-name': ['similar name', 'nume asemănător', 'nom proche'],
} as const satisfies Vocabulary;

const TYPE_WORDS = {
  array: ['array', 'tablou', 'tableau'],
  object: ['object', 'obiect', 'objet'],
  string: ['string', 'șir de caractere', 'chaîne'],
  number: ['number', 'număr', 'nombre'],
  boolean: ['true or false', 'true sau false', 'true ou false'],
  null: ['null', 'null', 'null'],
} as const satisfies Vocabulary;

const INSTEAD_WORDS = {
  page: ['another HTML page', 'altă pagină HTML', 'une autre page HTML'],
  fallback: ['the response for missing files', 'răspunsul pentru fișiere lipsă', 'la réponse pour fichiers absents'],
} as const satisfies Vocabulary;

const LIMIT_WORDS = {
  time: ['time', 'timp', 'temps'],
  memory: ['memory', 'memorie', 'mémoire'],
} as const satisfies Vocabulary;

const SCOPE_WORDS = {
  private: ['private network', 'rețea privată', 'réseau privé'],
  loopback: ['this machine (loopback)', 'acest calculator (loopback)', 'cette machine (loopback)'],
  'link-local': ['link-local', 'link-local', 'lien local'],
  unspecified: ['unspecified', 'nespecificată', 'non spécifiée'],
} as const satisfies Vocabulary;

const ORIGIN_WORDS = {
  index: ['agent index', 'indexul pentru agenți', 'l’index pour agents'],
  source: ['source', 'sursă', 'la source'],
} as const satisfies Vocabulary;

const SOURCE_WORDS = {
  fresh: ['live as in the source', 'publicată identic', 'en ligne à l’identique'],
  stale: ['an older version is live', 'este publicată o versiune mai veche', 'une version plus ancienne est en ligne'],
  mixed: ['two versions are live', 'sunt publicate două versiuni', 'deux versions sont en ligne'],
} as const satisfies Vocabulary;

const PROBLEM_WORDS = {
  'not-text': ['not a text', 'nu este text', 'pas un texte'],
  'not-json': ['not JSON', 'nu este JSON', 'pas du JSON'],
  'no-member': ['no such member', 'membru inexistent', 'membre inexistant'],
  'no-match': ['no match', 'nicio potrivire', 'aucune correspondance'],
  'too-slow': ['expression too slow', 'expresie prea lentă', 'expression trop lente'],
} as const satisfies Vocabulary;

const AGENT_WORDS = { '*': ['all crawlers', 'toate crawlerele', 'tous les robots'] } as const satisfies Vocabulary;

const HEADER_SENT = (name: string): Wording => [`${name} sent`, `${name} trimis`, `${name} envoyé`];
const HEADER = (name: string): Wording => [`${name} header`, `antet ${name}`, `en-tête ${name}`];
const PAIR = (en: string, ro: string, fr: string): Wording => [
  `${en} (original, translation)`,
  `${ro} (original, traducere)`,
  `${fr} (original, traduction)`,
];

/** By name, in alphabetical order. */
export const EVIDENCE_FIELDS = {
  accept: ['text', ...HEADER_SENT('Accept')],
  acceptEncoding: ['text', ...HEADER_SENT('Accept-Encoding')],
  actual: ['text', 'received', 'primit', 'reçu'],
  address: ['text', 'IP address', 'adresă IP', 'adresse IP'],
  age: ['text', ...HEADER('Age')],
  agent: [AGENT_WORDS, 'agent', 'agent', 'agent'],
  agents: ['text', 'agents', 'agenți', 'agents'],
  allowOrigin: ['text', ...HEADER('Access-Control-Allow-Origin')],
  also: ['text', 'also at', 'și la', 'aussi à'],
  anchor: ['text', 'anchor', 'ancoră', 'ancre'],
  assets: ['count', 'assets', 'resurse', 'ressources'],
  attempts: ['count', 'attempts', 'încercări', 'tentatives'],
  bundle: ['text', 'Cache-Control of the bundle', 'Cache-Control al pachetului motorului', 'Cache-Control du bundle'],
  by: [BY_WORDS, 'determined by', 'determinat de', 'déterminé par'],
  bytes: ['bytes', 'size', 'dimensiune', 'taille'],
  cacheControl: ['text', ...HEADER('Cache-Control')],
  candidates: ['count', 'possible pages', 'pagini posibile', 'pages possibles'],
  cfCacheStatus: ['text', ...HEADER('CF-Cache-Status')],
  code: ['count', ...PAIR('code blocks', 'blocuri de cod', 'blocs de code')],
  codes: ['text', 'language codes', 'coduri de limbă', 'codes de langue'],
  command: ['text', 'command', 'comandă', 'commande'],
  commit: ['text', 'commit', 'commit', 'commit'],
  configSeconds: [
    'seconds',
    'lifetime of config.json in caches',
    'durata lui config.json în cache',
    'durée de config.json en cache',
  ],
  connectMs: ['ms', 'connection', 'conectare', 'connexion'],
  contentEncoding: ['text', ...HEADER('Content-Encoding')],
  count: ['count', 'number', 'număr', 'nombre'],
  crossorigin: ['text', 'crossorigin attribute', 'atribut crossorigin', 'attribut crossorigin'],
  cutShort: ['flag', 'only the beginning was read', 'a fost citit numai începutul', 'seul le début a été lu'],
  daysLeft: ['count', 'days left', 'zile rămase', 'jours restants'],
  deadlineMs: ['ms', 'time limit of the run', 'limita de timp a rulării', 'limite de temps de l’exécution'],
  depth: ['count', 'nesting depth', 'adâncimea imbricării', 'profondeur d’imbrication'],
  diagnosis: [DIAGNOSIS_WORDS, 'cause', 'cauză', 'cause'],
  differing: ['count', 'files that differ', 'fișiere diferite', 'fichiers différents'],
  directive: ['text', 'directive', 'directivă', 'directive'],
  dnsMs: ['ms', 'name lookup', 'rezolvarea numelui', 'résolution du nom'],
  drifted: [
    'count',
    'pages that differ from the original',
    'pagini diferite de original',
    'pages différentes de l’original',
  ],
  durationMs: ['ms', 'response time', 'timp de răspuns', 'temps de réponse'],
  element: ['text', 'element', 'element', 'élément'],
  elsewhere: [
    'count',
    'links elsewhere on this host',
    'linkuri în altă parte pe această gazdă',
    'liens ailleurs chez cet hébergeur',
  ],
  encodings: ['text', 'content codings', 'codări ale conținutului', 'codages du contenu'],
  engine: ['text', 'engine', 'motor', 'moteur'],
  error: ['text', 'error code', 'cod de eroare', 'code d’erreur'],
  errors: ['text', 'error', 'eroare', 'erreur'],
  etag: ['text', ...HEADER('ETag')],
  expected: ['text', 'expected', 'așteptat', 'attendu'],
  expectedAt: ['text', 'expected version found in', 'versiunea așteptată apare în', 'version attendue présente dans'],
  expires: ['text', ...HEADER('Expires')],
  external: ['count', 'links to other sites', 'linkuri spre alte site-uri', 'liens vers d’autres sites'],
  externalUnsure: [
    'count',
    'of these, without a clear answer',
    'dintre acestea, fără răspuns clar',
    'dont sans réponse claire',
  ],
  failures: ['count', 'requests without a response', 'cereri fără răspuns', 'requêtes sans réponse'],
  family: ['text', 'IP version', 'versiune IP', 'version IP'],
  file: ['text', 'file', 'fișier', 'fichier'],
  fileType: [
    'text',
    'media type of the file itself',
    'tipul media al fișierului însuși',
    'type de média du fichier lui-même',
  ],
  files: ['count', 'files', 'fișiere', 'fichiers'],
  finalMediaType: [
    'text',
    'media type after redirects',
    'tip media după redirecționări',
    'type de média après redirection',
  ],
  finalReason: [REASON_WORDS, 'failure after redirects', 'eroare după redirecționări', 'échec après redirection'],
  finalStatus: ['text', 'status after redirects', 'stare după redirecționări', 'code d’état après redirection'],
  finalUrl: ['text', 'final address', 'adresa finală', 'adresse finale'],
  firstByteMs: ['ms', 'first byte', 'primul octet', 'premier octet'],
  firstBytes: ['text', 'content begins with', 'conținutul începe cu', 'début du contenu'],
  folder: [OUTCOME_WORDS, 'folder', 'director', 'dossier'],
  foreign: ['count', 'links to other sites', 'linkuri spre alte site-uri', 'liens vers d’autres sites'],
  foreignHosts: ['text', 'other hosts', 'alte gazde', 'autres hôtes'],
  foreignLeft: [
    'count',
    'files of other hosts not requested',
    'fișiere de pe alte gazde necerute',
    'fichiers d’autres hôtes non demandés',
  ],
  found: ['text', 'found', 'găsit', 'trouvé'],
  freshSeconds: ['seconds', 'lifetime in caches', 'durată în cache', 'durée en cache'],
  get: ['text', 'GET', 'GET', 'GET'],
  groups: ['count', 'groups', 'grupuri', 'groupes'],
  gzipBytes: ['bytes', 'size with gzip', 'dimensiune cu gzip', 'taille avec gzip'],
  head: ['text', 'HEAD', 'HEAD', 'HEAD'],
  header: ['text', 'header', 'antet', 'en-tête'],
  headingMs: ['ms', 'first heading', 'primul titlu', 'premier titre'],
  headings: ['count', ...PAIR('headings', 'titluri', 'titres')],
  hops: ['count', 'redirects followed', 'redirecționări urmate', 'redirections suivies'],
  host: [HOST_WORDS, 'host', 'gazdă', 'hébergeur'],
  hostBy: [BY_WORDS, 'kind of host determined by', 'tipul gazdei determinat de', 'type d’hébergeur déterminé par'],
  hsts: ['text', ...HEADER('Strict-Transport-Security')],
  http: [REASON_WORDS, 'over plain HTTP', 'prin HTTP simplu', 'en HTTP simple'],
  identityBytes: ['bytes', 'size without compression', 'dimensiune fără compresie', 'taille sans compression'],
  ifModifiedSince: ['text', ...HEADER_SENT('If-Modified-Since')],
  ifNoneMatch: ['text', ...HEADER_SENT('If-None-Match')],
  inPlace: [INSTEAD_WORDS, 'received instead', 'primit în schimb', 'reçu à la place'],
  inSource: ['flag', 'exists in the source', 'există în sursă', 'existe dans la source'],
  interimResponses: ['count', 'interim responses', 'răspunsuri intermediare', 'réponses intermédiaires'],
  issuer: ['text', 'issued by', 'emis de', 'émis par'],
  js: [OUTCOME_WORDS, '.js', '.js', '.js'],
  json: [OUTCOME_WORDS, '.json', '.json', '.json'],
  key: ['text', 'key', 'cheie', 'clé'],
  keyword: ['text', 'rule of the schema', 'regula schemei', 'règle du schéma'],
  kind: [KIND_WORDS, 'kind', 'tip', 'genre'],
  knownFrom: [ORIGIN_WORDS, 'listed in', 'enumerate în', 'énumérées dans'],
  language: ['text', 'language', 'limbă', 'langue'],
  languages: ['text', 'languages', 'limbi', 'langues'],
  lastModified: ['text', ...HEADER('Last-Modified')],
  left: ['count', 'files not requested', 'fișiere necerute', 'fichiers non demandés'],
  leftOut: ['count', 'not checked', 'neverificate', 'non contrôlés'],
  lifetimeDays: [
    'count',
    'certificate lifetime in days',
    'valabilitatea certificatului în zile',
    'validité du certificat en jours',
  ],
  limit: [LIMIT_WORDS, 'limit reached', 'limită atinsă', 'limite atteinte'],
  limitBytes: ['bytes', 'size limit', 'limită de dimensiune', 'limite de taille'],
  limitMs: ['ms', 'time limit', 'limită de timp', 'limite de temps'],
  line: ['count', 'line', 'linia', 'ligne'],
  lines: ['text', 'line', 'linie', 'ligne'],
  link: ['text', 'link', 'link', 'lien'],
  links: ['count', 'links', 'linkuri', 'liens'],
  literal: ['text', 'number as written', 'numărul scris', 'nombre écrit'],
  live: [
    'text',
    'line endings of the live file',
    'sfârșiturile de linie ale fișierului publicat',
    'fins de ligne du fichier en ligne',
  ],
  liveAs: ['text', 'live as', 'publicat ca', 'en ligne sous'],
  location: ['text', 'redirects to', 'redirecționează la', 'redirige vers'],
  locations: ['text', 'redirects to', 'redirecționează la', 'redirige vers'],
  looked: ['count', 'already checked', 'deja verificate', 'déjà contrôlés'],
  maxDurationMs: ['ms', 'allowed response time', 'timp de răspuns permis', 'temps de réponse autorisé'],
  md: [OUTCOME_WORDS, '.md', '.md', '.md'],
  mediaType: ['text', 'media type', 'tip media', 'type de média'],
  mediaTypes: ['text', 'media types', 'tipuri media', 'types de média'],
  message: ['text', 'message', 'mesaj', 'message'],
  meta: ['text', '<meta> in the bundle', '<meta> în pachetul motorului', '<meta> du bundle'],
  missing: ['count', 'missing', 'lipsă', 'absents'],
  missingAnchors: ['count', 'missing anchors', 'ancore lipsă', 'ancres absentes'],
  names: [NAME_WORDS, 'names', 'nume', 'noms'],
  negotiated: [
    'count',
    'page paths that give Markdown',
    'căi de pagină care dau Markdown',
    'chemins de page qui donnent du Markdown',
  ],
  new: ['text', 'new files', 'fișiere noi', 'nouveaux fichiers'],
  newerVersions: ['count', 'newer versions', 'versiuni mai noi', 'versions plus récentes'],
  noSlash: [REASON_WORDS, 'without the last slash', 'fără bara oblică finală', 'sans la barre oblique finale'],
  none: [OUTCOME_WORDS, 'no extension', 'fără extensie', 'sans extension'],
  notFoundFor: [NAME_WORDS, '404 for', '404 pentru', '404 pour'],
  notSeen: ['count', 'files not checked', 'fișiere neverificate', 'fichiers non contrôlés'],
  of: ['count', 'out of', 'din', 'sur'],
  offset: ['count', 'position in the file', 'poziția în fișier', 'position dans le fichier'],
  old: ['text', 'old files', 'fișiere vechi', 'anciens fichiers'],
  original: ['text', 'original', 'original', 'original'],
  outcomes: [OUTCOME_WORDS, 'responses', 'răspunsuri', 'réponses'],
  own: ['count', 'links to this site', 'linkuri spre acest site', 'liens vers ce site'],
  page: ['text', 'page', 'pagină', 'page'],
  pages: ['count', 'pages', 'pagini', 'pages'],
  params: ['text', 'details', 'detalii', 'détails'],
  partlySeen: ['count', 'files checked in part', 'fișiere verificate parțial', 'fichiers contrôlés en partie'],
  path: ['text', 'path', 'cale', 'chemin'],
  paths: ['count', 'paths', 'căi', 'chemins'],
  port: ['text', 'port', 'port', 'port'],
  prefix: ['text', 'prefix', 'prefix', 'préfixe'],
  problem: [PROBLEM_WORDS, 'problem', 'problemă', 'problème'],
  protocol: ['text', 'TLS version', 'versiune TLS', 'version TLS'],
  proxy: ['text', 'proxy', 'proxy', 'proxy'],
  reason: [REASON_WORDS, 'reason', 'motiv', 'raison'],
  received: ['text', 'received bytes', 'octeți primiți', 'octets reçus'],
  redirect: ['text', 'redirect status', 'starea redirecționării', 'code de la redirection'],
  refused: ['text', 'refused under', 'refuzat conform', 'refusé selon'],
  retryAfter: ['text', ...HEADER('Retry-After')],
  retryAfterMs: ['ms', 'wait that the host requests', 'așteptare cerută de gazdă', 'attente demandée par l’hébergeur'],
  route: ['text', 'route', 'rută', 'route'],
  rule: ['text', 'rule', 'regulă', 'règle'],
  rules: ['count', 'rules', 'reguli', 'règles'],
  sampled: [
    'flag',
    'only a sample was compared',
    'a fost comparat numai un eșantion',
    'seul un échantillon a été comparé',
  ],
  scope: [SCOPE_WORDS, 'address range', 'domeniul adresei', 'plage d’adresses'],
  seenFrom: ['text', 'seen from', 'văzut din', 'vu depuis'],
  server: ['text', ...HEADER('Server')],
  setting: ['text', 'setting', 'setare', 'réglage'],
  shallow: ['flag', 'Git history is incomplete', 'istoricul Git este incomplet', 'l’historique Git est incomplet'],
  shown: ['text', 'shown', 'afișat', 'affiché'],
  since: ['text', 'since', 'față de', 'depuis'],
  sitemaps: ['count', 'sitemaps', 'sitemapuri', 'sitemaps'],
  slash: [REASON_WORDS, 'with the last slash', 'cu bara oblică finală', 'avec la barre oblique finale'],
  source: [SOURCE_WORDS, 'source', 'sursă', 'source'],
  sourceBytes: ['bytes', 'size in the source', 'dimensiune în sursă', 'taille dans la source'],
  status: ['text', 'HTTP status', 'cod de stare HTTP', 'code d’état HTTP'],
  strictTransportSecurity: ['text', ...HEADER('Strict-Transport-Security')],
  subject: ['text', 'certificate for', 'certificat pentru', 'certificat pour'],
  suggestion: ['text', 'suggestion', 'sugestie', 'suggestion'],
  syntax: ['text', 'syntax error', 'eroare de sintaxă', 'erreur de syntaxe'],
  tables: ['count', ...PAIR('tables', 'tabele', 'tableaux')],
  target: ['text', 'link target', 'ținta linkului', 'cible du lien'],
  targets: ['text', 'link targets', 'țintele linkurilor', 'cibles des liens'],
  telling: [
    'flag',
    'sample contains changed files',
    'eșantionul conține fișiere schimbate',
    'l’échantillon contient des fichiers modifiés',
  ],
  test: ['flag', 'test', 'test', 'test'],
  text: ['text', 'text', 'text', 'texte'],
  timeoutMs: ['ms', 'timeout', 'timp de așteptare', 'délai d’attente'],
  tlsMs: ['ms', 'TLS handshake', 'negociere TLS', 'négociation TLS'],
  told: ['text', 'versions found', 'versiuni găsite', 'versions trouvées'],
  totalMs: ['ms', 'total', 'total', 'total'],
  txt: [OUTCOME_WORDS, '.txt', '.txt', '.txt'],
  type: [TYPE_WORDS, 'type', 'tip', 'type'],
  unlinked: [
    'count',
    'pages that no link leads to',
    'pagini spre care nu duce niciun link',
    'pages vers lesquelles aucun lien ne mène',
  ],
  unread: ['count', 'not read in full', 'necitite în întregime', 'non lus en entier'],
  unresponsiveMs: ['ms', 'page did not respond for', 'pagina nu a răspuns timp de', 'page sans réaction pendant'],
  unwanted: ['text', 'forbidden text', 'text interzis', 'texte interdit'],
  url: ['text', 'address', 'adresă', 'adresse'],
  validFrom: ['time', 'valid since', 'valabil de la', 'valable à partir du'],
  validTo: ['time', 'valid until', 'valabil până la', 'valable jusqu’au'],
  value: ['text', 'value', 'valoare', 'valeur'],
  variable: ['text', 'environment variable', 'variabilă de mediu', 'variable d’environnement'],
  vary: ['text', ...HEADER('Vary')],
  version: ['text', 'version', 'versiune', 'version'],
  visitors: [VISITORS_WORDS, 'visitors see', 'vizitatorii văd', 'les visiteurs voient'],
  where: ['text', 'found in', 'găsit în', 'trouvé dans'],
  width: ['count', 'width in CSS pixels', 'lățime în pixeli CSS', 'largeur en pixels CSS'],
  written: ['text', 'written as', 'scris ca', 'écrit'],
  xCache: ['text', ...HEADER('X-Cache')],
  xRobotsTag: ['text', ...HEADER('X-Robots-Tag')],
} as const satisfies Readonly<Record<string, Field>>;

/** The name of a field, as JSON has it. */
export type EvidenceField = keyof typeof EVIDENCE_FIELDS;
