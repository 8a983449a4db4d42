import type { Verdict, Waited } from '../check.ts';
import { counted } from './counted-ro.ts';
import {
  seconds,
  wholeMilliseconds,
  type Counts,
  type Messages,
  minutes,
  toNext,
  waitTime,
  type StaleFacts,
  type WaitingMessages,
} from './messages.ts';

const time = (ms: number): string => waitTime(ms, 'ro');
const clock = (name: string, ms: number | null): readonly string[] => (ms === null ? [] : [`${name} ${time(ms)}`]);

function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} și ${items.at(-1)}`;
}

function differingFiles({ files: named, pages, others }: StaleFacts): readonly string[] {
  return [
    ...named,
    ...(pages === 0 ? [] : [counted(pages, 'pagină', 'pagini')]),
    ...(others === 0 ? [] : [counted(others, 'alt fișier', 'alte fișiere')]),
  ];
}

const isOne = ({ files: named, pages, others }: StaleFacts): boolean => named.length + pages + others === 1;

/** What is old, as main clauses. */
function facts(old: StaleFacts): readonly string[] {
  const { isMissing, isCommit, expected, found, unchanged } = old;
  const differing = differingFiles(old);
  const missing = isOne(old) ? 'lipsește' : 'lipsesc';
  const differ = isMissing ? missing : `diferă de ${isCommit ? 'commit' : 'sursă'}`;
  return [
    ...(differing.length === 0 ? [] : [`${listed(differing)} ${differ}`]),
    ...(expected === null
      ? []
      : [found === null ? `${expected} nu este publicată` : `este publicată ${found}, nu ${expected}`]),
    ...(unchanged ? ['pachetul motorului nu s-a schimbat'] : []),
  ];
}

function still(old: StaleFacts): string {
  const { isMissing, expected, found, unchanged } = old;
  const differing = differingFiles(old);
  const missing = isOne(old) ? 'lipsește încă' : 'lipsesc încă';
  const state = isMissing ? missing : `${isOne(old) ? 'este' : 'sunt'} încă în versiunea veche`;
  const all = [
    ...(differing.length === 0 ? [] : [`${listed(differing)} ${state}`]),
    ...(expected === null
      ? []
      : [found === null ? `${expected} nu este încă publicată` : `este publicată încă ${found}`]),
    ...(unchanged ? ['pachetul motorului nu s-a schimbat încă'] : []),
  ];
  return all.length === 0 ? '' : `: ${all.join('; ')}`;
}

const BOTH = {
  'in-turn': 'în versiunea veche și în cea nouă, pe rând',
  'at-once': 'în versiunea veche și în cea nouă, în același timp',
} as const;

const waitingMessages: WaitingMessages = {
  starting: () => 'se întreabă pentru prima dată',
  noAnswer: (reason) => `se așteaptă un răspuns: ${reason}`,
  refused: (status) =>
    status === 429
      ? 'se întreabă mai rar: gazda răspunde 429'
      : `se întreabă mai rar: gazda răspunde ${status} la orice`,
  old: (old) => `se așteaptă versiunea nouă${still(old)}`,
  partlyOld: (old) => `se așteaptă versiunea nouă în întregime${still(old)}`,
  notKnown: (why) => `se așteaptă versiunea nouă, care nu poate fi deosebită încă de cea veche: ${why.join('; ')}`,
  notWell: (ids) => `se așteaptă ca totul să fie în regulă: ${ids.join(', ')}`,
  lookingOn: () => 'a apărut ceva nou: se verifică mai mult',
  good: (count, wanted) => `până acum totul este în regulă: runda bună ${count} din ${wanted}`,
  whole: () => 'se verifică întregul site',
  timeUp: () => 'timpul a expirat: se verifică încă o dată, pentru raport',
  line: (what, { round, elapsedMs, forMs, pauseMs }) =>
    `${what} · runda ${round} · ${minutes(elapsedMs)} din ${minutes(forMs)}${pauseMs === null ? '' : ` · următoarea în ${toNext(pauseMs)}\u00a0s`}`,
  stale(old) {
    const all = facts(old);
    const versions = old.both === null ? 'în versiunea veche' : BOTH[old.both];
    return `sănătos, dar ${versions}${all.length === 0 ? '' : `: ${all.join('; ')}`}`;
  },
  unfinished: (old, why) =>
    why === 'stopped'
      ? `oprit în timpul așteptării${still(old)}`
      : `timpul a expirat și nu s-a verificat totul${still(old)}`,
  clocks({ by, elapsedMs, rounds, firstNewMs, allNewMs, allGreenMs, alreadyLive }: Waited) {
    const isHealth = by === 'health';
    const live = isHealth ? 'sănătos' : 'publicat';
    if (alreadyLive) return `era deja ${live}: ${counted(rounds, 'rundă', 'runde')} în ${time(elapsedMs)}`;
    const head =
      allGreenMs === null
        ? `încă nu este ${live} după ${time(elapsedMs)} și ${counted(rounds, 'rundă', 'runde')}`
        : `${live} după ${time(allGreenMs)}`;
    const clocks = [
      ...clock(isHealth ? 'primul răspuns bun' : 'primul octet nou', firstNewMs),
      ...clock(isHealth ? 'totul bun' : 'toate eșantioanele', allNewMs),
      ...clock(isHealth ? 'stabil' : 'totul verde', allGreenMs),
    ];
    return clocks.length === 0 ? head : `${head}: ${clocks.join(', ')}`;
  },
};

const didYouMean = (nearest: string | null): string => (nearest === null ? '' : ` Ați vrut să scrieți ${nearest}?`);
const total = (counts: Counts): number => counts.pass + counts.warn + counts.fail + counts.skip + counts.unknown;

const checks = (count: number): string => counted(count, 'verificare', 'verificări');

/** Degraded by nothing but warnings. */
const isStrict = (verdict: Verdict, counts: Counts): boolean => verdict === 'degraded' && counts.fail === 0;

function outcome(verdict: Verdict, counts: Counts): string {
  const of = `din ${checks(total(counts))}`;
  if (counts.fail > 0) return `${counts.fail} ${of} ${counts.fail === 1 ? 'a eșuat' : 'au eșuat'}`;
  if (isStrict(verdict, counts)) {
    return `${counts.warn} ${of} ${counts.warn === 1 ? 'are' : 'au'} avertismente, ceea ce modul strict nu permite`;
  }
  if (verdict === 'unknown') {
    return `${counts.unknown} ${of} ${counts.unknown === 1 ? 'nu a putut fi încheiată' : 'nu au putut fi încheiate'}`;
  }
  const passed = counts.pass + counts.warn;
  return `${checks(passed)} ${passed === 1 ? 'reușită' : 'reușite'}`;
}

/** What of `--version-from` is wrong. */
const VERSION_FROM = {
  path: 'nu este calea unui fișier al site-ului',
  'path-outside': 'duce în afara site-ului',
  pointer: 'JSON Pointer-ul nu este valid (RFC 6901)',
  regex: 'expresia regulată nu este validă',
} as const;

export const messages: Messages = {
  statuses: { pass: 'reușit', warn: 'atenție', fail: 'eșuat', skip: 'omis', unknown: 'neclar' },
  verdicts: { healthy: 'sănătos', degraded: 'degradat', down: 'căzut', stale: 'învechit', unknown: 'necunoscut' },
  waiting: waitingMessages,
  fix: 'Remediere:',
  explain: {
    severity: 'Severitate:',
    reportedBy: 'Raportată de:',
    happened: 'Ce s-a întâmplat',
    matters: 'De ce contează',
    fix: 'Remediere',
    verify: 'Verificați',
    turnOff: 'Dezactivare',
    notRated: 'Nu raportează un defect al site-ului, deci nu poate fi dezactivată.',
    rules: 'Reguli',
  },
  documentedAction: 'Acțiunea documentată:',
  summary(verdict, counts, durationMs) {
    // Where none failed, that is what the outcome says.
    const unknown =
      counts.fail === 0 || counts.unknown === 0
        ? ''
        : `, ${counts.unknown} ${counts.unknown === 1 ? 'nu a putut fi încheiată' : 'nu au putut fi încheiate'}`;
    const warnings =
      counts.warn === 0 || isStrict(verdict, counts)
        ? ''
        : `, ${counted(counts.warn, 'cu avertisment', 'cu avertismente')}`;
    const skipped = counts.skip === 0 ? '' : `, ${counted(counts.skip, 'omisă', 'omise')}`;
    return `${outcome(verdict, counts)}${unknown}${warnings}${skipped} (${seconds(durationMs, 'ro')})`;
  },
  verdictLine: (verdict, summary) => `${verdict}: ${summary}`,
  sameFix: (finding) => `aceeași ca la ${finding}, mai sus.`,
  more: (count) => `… și încă ${count} (--verbose sau --format json le arată pe toate).`,
  moreInLog: (count) => `… și încă ${count}: vedeți jurnalul acestui pas.`,
  leftOutOfSarif: (count) =>
    `Constatări omise, pentru ca scanarea codului să accepte fișierul: ${count}. Raportul JSON le conține pe toate.`,
  onlyCounted: (count) => `Alte constatări de același fel, care sunt doar numărate: ${count}.`,
  standardOutput: 'ieșirea standard',
  sameCause: (count) => `O singură cauză pentru ${checks(count)}:`,
  interrupted: () => 'Oprit înainte de sfârșit; iată ce se știe până acum.',
  serving: (folder, host, url) =>
    `${folder} este servit după regulile tipului de găzduire ${host} la ${url} (Ctrl-C încheie)`,
  missingInFolder: (folder, files) =>
    `${folder} nu este un site complet. Lipsesc: ${files}. Cererile pentru aceste fișiere primesc 404 până când există.`,
  checkPreview: (command) => `Verificați-l cu: ${command}`,
  progress: (waiting, elapsedMs) => `se așteaptă ${waiting.join(', ')} (${seconds(elapsedMs, 'ro')})`,
  milliseconds: (ms) => wholeMilliseconds(ms, 'ro'),
  goodConfiguration: (file) => `${file} este în ordine.`,
  urlNotWatched: () => 'Monitorul nu supraveghează url: supraveghează ce enumeră sites.',
  noConfiguration: () => 'Aici nu există nicio configurație; sunt valabile valorile implicite.',
  cannotWrite: (target, reason) => `nu se poate scrie ${target}: ${reason}`,
  internalError: (detail) => `eroare internă; raportați-o împreună cu comanda pe care ați dat-o: ${detail}`,
  unknownOption: (option, nearest) => `opțiune necunoscută: ${option}.${didYouMean(nearest)}`,
  unknownCommand: (command, nearest) => `comandă necunoscută: ${command}.${didYouMean(nearest)}`,
  missingArgument: (name) => `lipsește argumentul <${name}>.`,
  missingOption: (option) => `lipsește ${option}.`,
  missingValue: (option) => `${option} are nevoie de o valoare.`,
  emptyValue: (option) => `${option} este gol. Poate că o variabilă nu a fost setată?`,
  needsOption: (option, needed) => `${option} are sens numai împreună cu ${needed}.`,
  badVersion: (option, given) =>
    `${option}: ${given} nu este numele unei versiuni, de exemplu un commit (3f2a91c) sau 1.4.0.`,
  badVersionFrom: (option, given, problem) =>
    `${option}: ${given}: ${VERSION_FROM[problem]}. Scrieți, de exemplu, version.json#/commit, build.txt sau app.txt#rev: (\\w+).`,
  badSince: (option, given) =>
    `${option}: ${given} nu este nici ETag, nici dată (2026-03-01T12:00:00Z, secunde din 1970 sau ca în Last-Modified), nici cuvântul now.`,
  badMoment: (option, given) =>
    `${option}: ${given} nu spune nici cu cât timp în urmă (24h, 7d), nici o dată (2026-03-01T12:00:00Z).`,
  emptyTime: (since, until) => `${since} nu este înainte de ${until}: între ele nu este niciun timp.`,
  noValue: (option) => `${option} nu primește o valoare.`,
  reservedHeader: (name) => `--header: ${name} este setat chiar de clientul HTTP și nu poate fi schimbat.`,
  excessArguments: () => 'prea multe argumente. Puneți între ghilimele ce trebuie să rămână împreună.',
  badDuration: (option, given) =>
    `${option}: ${given} nu este o durată. Scrieți un număr și o unitate, de exemplu 500ms, 10s, 2m.`,
  durationTooLong: (option, given, most) => `${option}: ${given} este prea lung. Cel mult ${most}.`,
  durationTooShort: (option, given, least) => `${option}: ${given} este prea scurt. Cel puțin ${least}.`,
  badCount: (option, given, least, most) => `${option}: ${given} nu este un număr întreg de la ${least} la ${most}.`,
  badRate: (given) => `--rate: ${given} nu este un număr de cereri pe secundă, de exemplu 10 sau 0.5.`,
  unknownHost: (given, known) => `--host: tip de găzduire necunoscut ${given}. Cunoscute: ${known}.`,
  unknownHostKind: (given, known) => `tip de găzduire necunoscut ${given}. Cunoscute: ${known}.`,
  badBase: (given) => `--base: ${given} nu este o cale din nume simple, de exemplu /docs/.`,
  fileExists: (file) => `${file} există deja. --force îl suprascrie.`,
  foreignFile: (folder, file) =>
    `${folder} conține ${file}, pe care nu l-a scris niciun export. Alegeți un dosar propriu sau --force pentru a scrie totuși acolo.`,
  proposedAddress: () =>
    '--header: configurația poate fi doar propusă, iar antetele ar ajunge la adresa pe care o numește ea. Dați adresa împreună cu antetele și nu folosiți `resolve` în configurație.',
  notAFolder: (given) => `${given} nu este un dosar.`,
  portTaken: (port) => `--port: ${port} este ocupat. Alegeți altul sau 0 pentru oricare liber.`,
  cannotListen: (port, detail) => `--port: ${port} nu poate fi folosit (${detail}). Alegeți altul.`,
  badListen: (option, given) =>
    `${option}: ${given} nu este o gazdă cu port. Scrieți de exemplu 127.0.0.1:9464, [::1]:9464 sau 0.0.0.0:9464.`,
  addressTaken: (address) => `${address} este ocupată: acolo ascultă alt program. Alegeți alt port cu --listen.`,
  cannotListenAt: (address, detail) =>
    `La ${address} nu se poate asculta (${detail}). Alegeți altă adresă cu --listen.`,
  nothingToWatch: () =>
    'configurația nu numește niciun site de supravegheat. Adăugați în docvitals.yaml: url: https://docs.example.com/ sau o listă sites: fiecare cu id și url.',
  badSource: (given, detail) =>
    `--source: ${given} nu este un dosar, o referință Git sau un manifest care poate fi citit (${detail}). Scrieți de exemplu docs, HEAD:docs sau manifest.json.`,
  crawling: (done, known) => `${done} din ${known} fișiere`,
  badRepository: (option, given) =>
    `${option}: ${given} nu este nici dosar, nici adresa unui depozit Git, cum ar fi https://github.com/acme/docs.git.`,
  noSource: () =>
    '--only source: spuneți din ce se publică site-ul: --source docs, --source HEAD:docs sau --source manifest.json.',
  noVersion: () =>
    '--only deployed-version: spuneți ce versiune trebuie să fie publicată: --expect-version 3f2a91c sau --since cu un ETag, o dată sau now.',
  unreadable: (file, detail) => `nu se poate citi ${file}: ${detail}.`,
  badHeader: () => '--header: se aștepta „Nume: valoare”.',
  badResolve: (given) =>
    `--resolve: ${given} nu are forma gazdă:port:adresă, de exemplu docs.example.com:443:192.0.2.7.`,
  badReport: (given) => `--report: ${given} nu are forma format=fișier, de exemplu json=raport.json.`,
  reportIsConfiguration: (file) => `--report: ${file} este numele fișierului de configurare. Alegeți altul.`,
  sameReport: (one, other) => `--report: ${one} și ${other} sunt același fișier. Dați fiecărui raport fișierul lui.`,
  noReportFolder: (file, folder) => `--report: ${file} nu se poate scrie, pentru că dosarul ${folder} nu există.`,
  reportIsFolder: (file) => `--report: ${file} este un dosar. Indicați un fișier din el.`,
  unwritableReport: (file, reason) => `--report: ${file} nu se poate scrie (${reason}).`,
  unknownFormat: (option, given, known, nearest) =>
    `${option}: format necunoscut: ${given}.${didYouMean(nearest)} Cunoscute: ${known}.`,
  unknownValue: (option, given, known, nearest) =>
    `${option}: valoare necunoscută: ${given}.${didYouMean(nearest)} Cunoscute: ${known}.`,
  unknownLanguage: (given, known) => `--lang: limbă necunoscută: ${given}. Cunoscute: ${known}.`,
  unknownCheck: (option, given, known, nearest) =>
    `${option}: verificare necunoscută: ${given}.${didYouMean(nearest)} Cunoscute: ${known}.`,
  unknownSite: (option, given, known, nearest) =>
    known === ''
      ? `${option}: configurația nu are site-ul ${given}: nu enumeră niciunul.`
      : `${option}: configurația nu are site-ul ${given}.${didYouMean(nearest)} Cunoscute: ${known}.`,
  unknownRoute: (given, known, nearest) =>
    known === ''
      ? `alert: configurația nu are ruta de alertare ${given}: nu enumeră niciuna la alerts.`
      : `alert: configurația nu are ruta de alertare ${given}.${didYouMean(nearest)} Cunoscute: ${known}.`,
  noSiteChosen: (known) =>
    `lipsește URL-ul de bază. Dați unul sau alegeți un site din configurație cu --site. Cunoscute: ${known}.`,
  unknownCode: (check, given, known, nearest) =>
    `${check} nu are constatarea ${given}.${nearest === null ? ` Are: ${known}.` : didYouMean(nearest)}`,
  unknownExample: (given, known, nearest) => `exemplu necunoscut: ${given}.${didYouMean(nearest)} Cunoscute: ${known}.`,
  unknownShell: (given, known, nearest) => `shell necunoscut: ${given}.${didYouMean(nearest)} Cunoscute: ${known}.`,
  noChecksLeft: () => '--only și --skip nu lasă nicio verificare de rulat.',
  exclusive: (one, other) => `${one} și ${other} se exclud reciproc.`,
  badProxy: (variable) => `variabila de mediu ${variable} nu conține un URL de proxy http sau https.`,
  noUrl: () =>
    'lipsește URL-ul de bază. Dați unul (docvitals check https://docs.example.com/) sau setați url în docvitals.yaml.',
  secretInUrl: (option) =>
    `${option}: lăsați deoparte numele de utilizator și parola; fișierul ajunge în depozit. Trimiteți-le prin antete.`,
  nobodyToAsk: (options) =>
    `nu există un terminal pe care să se pună întrebări. Dați ${options} sau --yes pentru a lua ce s-a găsit.`,
  noSiteUrl: () => 'aici nu s-a găsit adresa site-ului. Dați-o: --url https://docs.example.com/.',
  outsideFolder: (option, given) => `${option}: ${given} nu este în dosarul care se pregătește.`,
  hostingNeedsHost: () =>
    '--hosting: tipul de găzduire nu este cunoscut. Dați-l și pe el: --host server, platform sau worker.',
  hostingBase: (path) =>
    `--hosting: pentru calea ${path} nu se poate face o configurație; pot sta în ea numai nume simple.`,
  unknownWorkflow: (given, known, nearest) =>
    `--workflow: flux de lucru necunoscut: ${given}.${didYouMean(nearest)} Cunoscute: ${known}.`,
  unknownAction: (command, given, known, nearest) =>
    `${command}: acțiune necunoscută: ${given}.${didYouMean(nearest)} Cunoscute: ${known}.`,
  unknownConfigAction: (given, known, nearest) =>
    `config: acțiune necunoscută: ${given}.${didYouMean(nearest)} Cunoscute: ${known}.`,
  baseUrl(problem, given) {
    if (problem === 'file') {
      return `${given}: un site de documentație nu funcționează prin file:, deoarece browserul blochează cererile pe care le face motorul. Serviți dosarul prin HTTP și verificați acea adresă.`;
    }
    if (problem === 'scheme') return `${given}: pot fi verificate numai adrese http și https.`;
    if (problem === 'no-scheme') return `${given}: lipsește schema. Ați vrut să scrieți https://${given}?`;
    if (problem === 'no-host') return `${given}: lipsește gazda. Scrieți adresa ca https://docs.example.com/.`;
    return `${given} nu este o adresă web. Scrieți-o ca https://docs.example.com/.`;
  },
  seeHelp: (command) => `Vedeți ${command} --help.`,
};
