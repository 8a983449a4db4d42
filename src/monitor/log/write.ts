/** Writes what a monitor says, a line an event. */
import type { Json } from '../../answer.ts';
import { withoutCommands } from '../../ci-log.ts';
import { printable } from '../../printable.ts';
import { iso } from '../iso-time.ts';
import type { Language } from '../../texts.ts';

export type LogFormat = 'pretty' | 'json';

/** Where lines go: a stream of the process. */
export type LogStream = Pick<NodeJS.WriteStream, 'write' | 'on' | 'off' | 'writableLength'>;

export interface LogOptions {
  readonly stream: LogStream;
  readonly format: LogFormat;
  /** The language of sentences; English where it is absent. */
  readonly language?: Language;
  /** What is less grave is left out. */
  readonly least: LogLevel;
  readonly colour: boolean;
  /** ms since 1970. */
  readonly now: () => number;
}

/** UTF-16 code units that may wait for a reader that does not read; lines beyond are left out, and counted. */
const MOST_WAITING = 1 << 20;
/** The longest text of a field, in UTF-16 code units. */
const LONGEST_TEXT = 2_000;

const RANKS: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

/** A log that can be left, and that never holds its caller up: a reader that is gone or slow loses lines. */
export interface OpenLog {
  readonly log: Log;
  /** Resolves when what was written has left, or after `ms`. */
  readonly flush: (ms: number) => Promise<void>;
}

/** Opens a log on a stream. Nothing that is reported can break a line, colour a terminal, or end the process. */
export function openLog({ stream, format, language = 'en', least, colour, now }: LogOptions): OpenLog {
  let left = 0;
  let gone = false;
  // Nobody reads any more; a full disk below a redirected output is no reason to stop watching either.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    gone = error.code === 'EPIPE' || error.code === 'EIO';
  });
  const lineOf = (level: LogLevel, event: string, fields: LogFields): string => {
    const time = iso(now());
    if (format === 'json') return jsonLine(time, level, event, fields);
    return prettyLine(time, level, textOf(event, fields, language), colour);
  };
  const log: Log = (level, event, fields = {}) => {
    if (gone || RANKS[level] < RANKS[least]) return;
    if (stream.writableLength > MOST_WAITING) {
      left += 1;
      return;
    }
    if (left > 0) stream.write(lineOf('warn', 'log-lines-lost', { lines: left }));
    left = 0;
    stream.write(lineOf(level, event, fields));
  };
  const flush = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      if (gone || stream.writableLength === 0) return resolve();
      const timer = setTimeout(resolve, ms);
      stream.write('', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  return { log, flush };
}

function jsonLine(time: string, level: LogLevel, event: string, fields: LogFields): string {
  const line = JSON.stringify({ time, level, event, ...fields }, (_, value: Json) => bounded(value));
  // What JSON lets pass may still act on a terminal, or break a line for some readers.
  return `${withoutCommands(line.replaceAll(/[\u007f-\u009f\u2028\u2029\p{Cf}]/gu, escaped), BRACKET)}\n`;
}

/** A character as JSON writes it in ASCII. */
function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, at) => {
    return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }).join('');
}

const bounded = (value: Json): Json => (typeof value === 'string' ? cut(value) : value);

const cut = (text: string): string => (text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text);

/** As JSON escapes it; for a CI service that prints the log. */
const BRACKET = String.raw`\u005b`;

/** SGR codes (ECMA-48, 8.3.117). */
const COLOURS: Readonly<Record<LogLevel, number>> = { debug: 2, info: 36, warn: 33, error: 31 };
const WIDEST_LEVEL = 5;

function prettyLine(time: string, level: LogLevel, text: string, colour: boolean): string {
  const paint = (code: number, painted: string): string => (colour ? `\u001B[${code}m${painted}\u001B[0m` : painted);
  const clock = time.slice(0, 23).replace('T', ' ');
  return `${[paint(2, clock), paint(COLOURS[level], level.padEnd(WIDEST_LEVEL)), text].join(' ')}\n`;
}

/** An event as a sentence; one that has none, with its name and its fields. */
function textOf(event: string, fields: LogFields, language: Language): string {
  const value = (name: string): string => shown(fields[name] ?? null);
  const all = Object.entries(fields).map(([name, field]) => `${name}=${plain(field)}`);
  return sentenceOf(event, language, fields, value) ?? [event, ...all].join(' ');
}

/** A value within a sentence. */
function shown(value: Json): string {
  if (value === null) return '–';
  const list = Array.isArray(value) ? (value as readonly Json[]) : [value];
  return printable(cut(list.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join(', ')));
}

/** A value in one piece: a plain word as it is, anything else as JSON. */
function plain(value: Json): string {
  if (typeof value !== 'string') return withoutCommands(printable(cut(JSON.stringify(value))), BRACKET);
  return withoutCommands(printable(/^[^\s"=]+$/.test(value) ? cut(value) : JSON.stringify(cut(value))), BRACKET);
}

/* What a pretty log says of each event: a sentence in each language. `{name}` is a field of the event. */

type Sentence = readonly [en: string, ro: string, fr: string];

/** An event that is not here is shown with its name and its fields. */
const SENTENCES: Readonly<Record<string, Sentence>> = {
  'monitor-started': [
    'docvitals {version} started (process {pid}). Sites: {sites}. Notification routes: {routes}. Configuration: {config}. Database: {database}.',
    'docvitals {version} a pornit (proces {pid}). Site-uri: {sites}. Rute de notificare: {routes}. Configurație: {config}. Bază de date: {database}.',
    'docvitals {version} a démarré (processus {pid}). Sites : {sites}. Routes de notification : {routes}. Configuration : {config}. Base de données : {database}.',
  ],
  'monitor-stopping': ['The monitor is stopping.', 'Monitorul se oprește.', 'Le moniteur s’arrête.'],
  'monitor-stopped': ['The monitor has stopped.', 'Monitorul s-a oprit.', 'Le moniteur est arrêté.'],
  'failure-suspected': [
    '{site}: a check failed; it is being confirmed.',
    '{site}: o verificare a eșuat și se confirmă.',
    '{site} : un contrôle a échoué ; il est en cours de confirmation.',
  ],
  'failure-dismissed': [
    '{site}: the failure was not confirmed.',
    '{site}: eșecul nu a fost confirmat.',
    '{site} : l’échec n’a pas été confirmé.',
  ],
  'incident-opened': [
    '{site} is {verdict}: {checks} ({codes}). Incident {incident} opened.',
    '{site} este {verdict}: {checks} ({codes}). S-a deschis incidentul {incident}.',
    '{site} est {verdict} : {checks} ({codes}). Incident {incident} ouvert.',
  ],
  'incident-changed': [
    '{site} is {verdict}: {checks} ({codes}). Incident {incident} changed.',
    '{site} este {verdict}: {checks} ({codes}). Incidentul {incident} s-a schimbat.',
    '{site} est {verdict} : {checks} ({codes}). Incident {incident} modifié.',
  ],
  'incident-recovered': [
    '{site} has recovered after {durationMs}: {checks} ({codes}). Incident {incident} is over.',
    '{site} și-a revenit după {durationMs}: {checks} ({codes}). Incidentul {incident} s-a încheiat.',
    '{site} est rétabli après {durationMs} : {checks} ({codes}). Incident {incident} clos.',
  ],
  'alert-sent': [
    'Route {route} was notified about {site} ({alert}, {incident}).',
    'Ruta {route} a fost notificată despre {site} ({alert}, {incident}).',
    'La route {route} a été notifiée au sujet de {site} ({alert}, {incident}).',
  ],
  'alert-failed': [
    'Route {route} could not be notified about {site}: {error}. Next attempt at {retryAt}.',
    'Ruta {route} nu a putut fi notificată despre {site}: {error}. Următoarea încercare la {retryAt}.',
    'La route {route} n’a pas pu être notifiée au sujet de {site} : {error}. Prochaine tentative à {retryAt}.',
  ],
  'alert-given-up': [
    'Route {route} was not notified about {site} and will not be: {reason}, {error}.',
    'Ruta {route} nu a fost notificată despre {site} și nu va mai fi: {reason}, {error}.',
    'La route {route} n’a pas été notifiée au sujet de {site} et ne le sera pas : {reason}, {error}.',
  ],
  'alert-refresh-failed': [
    'Route {route} could not be notified that {incident} is still open: {error}.',
    'Ruta {route} nu a putut fi notificată că {incident} este încă deschis: {error}.',
    'La route {route} n’a pas pu être notifiée que {incident} est encore ouvert : {error}.',
  ],
  'config-reloaded': [
    'The configuration was read again. Sites: {sites}. Notification routes: {routes}.',
    'Configurația a fost recitită. Site-uri: {sites}. Rute de notificare: {routes}.',
    'La configuration a été relue. Sites : {sites}. Routes de notification : {routes}.',
  ],
  'config-unchanged': [
    'The configuration has not changed.',
    'Configurația nu s-a schimbat.',
    'La configuration n’a pas changé.',
  ],
  'config-refused': [
    'The new configuration is invalid; the previous one stays in use: {mistakes}.',
    'Configurația nouă este greșită; rămâne în uz cea dinainte: {mistakes}.',
    'La nouvelle configuration est invalide ; la précédente reste en vigueur : {mistakes}.',
  ],
  'restart-needed': [
    'These settings need a restart: {keys}.',
    'Aceste setări cer o repornire: {keys}.',
    'Ces réglages demandent un redémarrage : {keys}.',
  ],
  'database-set-aside': [
    'The database {file} is damaged. It was moved to {aside}, and a new one was created.',
    'Baza de date {file} este deteriorată. A fost mutată în {aside} și s-a creat una nouă.',
    'La base de données {file} est endommagée. Elle a été déplacée vers {aside}, et une nouvelle a été créée.',
  ],
  'database-replaced': [
    'The database {file} was deleted or replaced while the monitor was running. A new one was created, with all incidents.',
    'Baza de date {file} a fost ștearsă sau înlocuită în timp ce monitorul rula. S-a creat una nouă, cu toate incidentele.',
    'La base de données {file} a été supprimée ou remplacée pendant que le moniteur fonctionnait. Une nouvelle a été créée, avec tous les incidents.',
  ],
  'incidents-not-reconciled': [
    'The open incidents could not be written to the new database yet: {error}.',
    'Incidentele deschise nu au putut fi scrise încă în noua bază de date: {error}.',
    'Les incidents ouverts n’ont pas encore pu être écrits dans la nouvelle base de données : {error}.',
  ],
  'notice-sent': [
    'Route {route} was notified about the monitor itself ({notice}).',
    'Ruta {route} a fost notificată despre monitorul însuși ({notice}).',
    'La route {route} a été notifiée au sujet du moniteur lui-même ({notice}).',
  ],
  'notice-failed': [
    'Route {route} could not be notified about the monitor itself ({notice}): {error}.',
    'Ruta {route} nu a putut fi notificată despre monitorul însuși ({notice}): {error}.',
    'La route {route} n’a pas pu être notifiée au sujet du moniteur lui-même ({notice}) : {error}.',
  ],
  'outbox-failed': [
    'Notifications are sent, but this cannot be written to the database: {error}.',
    'Notificările se trimit, dar acest lucru nu poate fi scris în baza de date: {error}.',
    'Les notifications sont envoyées, mais cela ne peut pas être écrit dans la base de données : {error}.',
  ],
  'outbox-works': [
    'Sent notifications can be written to the database again.',
    'Notificările trimise pot fi scrise din nou în baza de date.',
    'Les notifications envoyées peuvent de nouveau être écrites dans la base de données.',
  ],
  'round-not-kept': [
    '{site}: a result could not be written and is lost: {error}.',
    '{site}: un rezultat nu a putut fi scris și s-a pierdut: {error}.',
    '{site} : un résultat n’a pas pu être écrit et est perdu : {error}.',
  ],
  'rounds-not-kept': [
    '{rounds} results could not be written and are lost. Incidents among them: {incidents}.',
    '{rounds} rezultate nu au putut fi scrise și s-au pierdut. Incidente printre ele: {incidents}.',
    '{rounds} résultats n’ont pas pu être écrits et sont perdus. Incidents parmi eux : {incidents}.',
  ],
  'housekeeping-failed': [
    'A recurring task failed ({task}): {error}.',
    'O sarcină periodică a eșuat ({task}): {error}.',
    'Une tâche périodique a échoué ({task}) : {error}.',
  ],
  'history-pruned': [
    'Results beyond the retention time were removed: {rows}.',
    'Rezultatele mai vechi decât durata de păstrare au fost șterse: {rows}.',
    'Les résultats au-delà de la durée de conservation ont été supprimés : {rows}.',
  ],
  'heartbeat-withheld': [
    'The heartbeat is withheld: {reasons}.',
    'Semnalul de viață este reținut: {reasons}.',
    'Le signal de vie est retenu : {reasons}.',
  ],
  'heartbeat-resumed': [
    'The heartbeat is sent again.',
    'Semnalul de viață este trimis din nou.',
    'Le signal de vie est de nouveau envoyé.',
  ],
  'clock-jump': [
    'The clock of the machine jumped by {byMs} ms.',
    'Ceasul mașinii a sărit cu {byMs} ms.',
    'L’horloge de la machine a sauté de {byMs} ms.',
  ],
  resumed: [
    'The machine was suspended for {afterMs} ms.',
    'Mașina a fost suspendată {afterMs} ms.',
    'La machine a été suspendue pendant {afterMs} ms.',
  ],
  blocked: [
    'The monitor was busy for {forMs} ms; results of that time are not counted.',
    'Monitorul a fost ocupat {forMs} ms; rezultatele din acest timp nu se iau în calcul.',
    'Le moniteur a été occupé pendant {forMs} ms ; les résultats de ce moment ne comptent pas.',
  ],
  'server-failed': [
    'The server of the monitor failed: {error}.',
    'Serverul monitorului a eșuat: {error}.',
    'Le serveur du moniteur a échoué : {error}.',
  ],
  'unexpected-error': [
    'An unexpected error occurred: {error}.',
    'A apărut o eroare neașteptată: {error}.',
    'Une erreur inattendue s’est produite : {error}.',
  ],
  'database-not-writable': [
    'The database cannot be written ({problem}): {error}. {waiting} results are waiting.',
    'În baza de date nu se poate scrie ({problem}): {error}. Rezultate în așteptare: {waiting}.',
    'La base de données n’est pas accessible en écriture ({problem}) : {error}. Résultats en attente : {waiting}.',
  ],
  'database-writable': [
    'The database can be written again.',
    'În baza de date se poate scrie din nou.',
    'La base de données est de nouveau accessible en écriture.',
  ],
  'round-failed': [
    '{site}: the checks could not be run: {error}.',
    '{site}: verificările nu au putut fi rulate: {error}.',
    '{site} : les contrôles n’ont pas pu être exécutés : {error}.',
  ],
  'rounds-ours': [
    'The fault is the monitor’s own ({reason}); results say nothing about the sites.',
    'Defectul este al monitorului însuși ({reason}); rezultatele nu spun nimic despre site-uri.',
    'Le défaut vient du moniteur lui-même ({reason}) ; les résultats ne disent rien des sites.',
  ],
  'rounds-trusted': [
    'The monitor’s own fault is over ({reason}).',
    'Defectul monitorului însuși a trecut ({reason}).',
    'Le défaut du moniteur lui-même est passé ({reason}).',
  ],
  'heartbeat-failed': [
    'The heartbeat could not be sent: {error}.',
    'Semnalul de viață nu a putut fi trimis: {error}.',
    'Le signal de vie n’a pas pu être envoyé : {error}.',
  ],
  'heartbeat-works': [
    'The heartbeat is sent again.',
    'Semnalul de viață este trimis din nou.',
    'Le signal de vie est de nouveau envoyé.',
  ],
  'source-unreadable': [
    '{site}: the source cannot be read: {error}.',
    '{site}: sursa nu poate fi citită: {error}.',
    '{site} : la source ne peut pas être lue : {error}.',
  ],
  'incidents-reconciled': [
    '{site}: the open incidents in the database were corrected ({open} open).',
    '{site}: incidentele deschise din baza de date au fost corectate (deschise: {open}).',
    '{site} : les incidents ouverts de la base de données ont été corrigés (ouverts : {open}).',
  ],
  'log-lines-lost': [
    '{lines} lines of this log were lost, because it was not read fast enough.',
    'S-au pierdut {lines} linii din acest jurnal, pentru că nu a fost citit destul de repede.',
    '{lines} lignes de ce journal ont été perdues, faute d’avoir été lues assez vite.',
  ],
  'request-failed': [
    'A request to the server failed: {error}.',
    'O cerere către server a eșuat: {error}.',
    'Une requête au serveur a échoué : {error}.',
  ],
  'store-failed': [
    'The database cannot be read: {message}.',
    'Baza de date nu poate fi citită: {message}.',
    'La base de données ne peut pas être lue : {message}.',
  ],
};

const VERDICTS: Readonly<Record<string, Sentence>> = {
  down: ['down', 'indisponibil', 'indisponible'],
  degraded: ['degraded', 'degradat', 'dégradé'],
  stale: ['stale', 'învechit', 'périmé'],
};

const COLUMNS: readonly Language[] = ['en', 'ro', 'fr'];

/** The sentence of an event; `null`: there is none. `value`: a field as text. */
export function sentenceOf(
  event: string,
  language: Language,
  fields: { readonly [name: string]: unknown },
  value: (name: string) => string,
): string | null {
  const column = COLUMNS.indexOf(language);
  const text = SENTENCES[event]?.[column];
  if (text === undefined || !Object.hasOwn(SENTENCES, event)) return null;
  const written = (name: string): string => {
    const field = fields[name];
    if (name === 'verdict') return VERDICTS[String(field)]?.[column] ?? value(name);
    if (name !== 'durationMs' || typeof field !== 'number') return value(name);
    return `${new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(field / 1_000)} s`;
  };
  // French has a space before these that breaks no line.
  const spaced = language === 'fr' ? text.replaceAll(/ (?=[:;])/g, '\u00a0') : text;
  return spaced.replaceAll(/\{(\w+)\}/g, (_, name: string) => written(name));
}

/* What a monitor says while it works. Types only. */

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Facts of a line, by their names in camelCase; no prose, no secrets. */
export type LogFields = { readonly [name: string]: Json };

/** Writes structured lines. `event` is a kebab-case noun phrase from a closed list, e.g. `incident-opened`. */
export type Log = (level: LogLevel, event: string, fields?: LogFields) => void;
