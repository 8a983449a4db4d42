import type { FreshBy, Verdict } from '../../check.ts';
import type { Language } from '../../texts.ts';
import { numberIn, isOneInFrench } from '../../messages/number.ts';
import { counted as inWords } from '../../messages/counted-ro.ts';

/** The words of the HTML report that no other output needs. */

/** Numbers come as they are counted and are written by the words; other strings are already written out. */
export interface Words {
  /** What a verdict means to those who use the site. */
  readonly meanings: Readonly<Record<Verdict, string>>;
  /** Degraded by nothing but warnings. */
  readonly strict: string;
  readonly checkedAt: string;
  readonly duration: string;
  readonly tool: string;
  readonly version: string;
  readonly fresh: string;
  readonly old: string;
  readonly waiting: string;
  /** `elapsed` and `atMost` are durations; the last requests may end after the limit. */
  waited(elapsed: string, atMost: string, runs: number): string;
  readonly waitedFor: Readonly<Record<FreshBy, string>>;
  readonly firstNew: string;
  readonly allNew: string;
  readonly allGreen: string;
  readonly notReached: string;
  readonly checks: string;
  readonly status: string;
  readonly check: string;
  readonly target: string;
  readonly time: string;
  readonly contents: string;
  readonly findings: string;
  readonly cause: string;
  readonly passed: string;
  readonly skipped: string;
  readonly fix: string;
  /** The same of what is good to know, or could not be reported. */
  readonly advice: string;
  /** Before the name of the finding that the fix was told for. */
  readonly sameFix: string;
  readonly action: string;
  readonly also: string;
  readonly onSite: string;
  /** Of a file whose lines are not those of what is live. */
  readonly otherVersion: string;
  readonly note: string;
  readonly requests: (count: number) => string;
  readonly attempts: (count: number) => string;
  readonly moreFindings: (count: number) => string;
  readonly morePlaces: (count: number) => string;
  readonly leftOut: (count: number) => string;
  /** Characters, entries or members of a value that are not shown. */
  readonly cut: (count: number) => string;
  readonly dns: string;
  readonly connect: string;
  readonly tls: string;
  readonly firstByte: string;
  readonly total: string;
  readonly madeBy: string;
}

const numberEn = (count: number): string => numberIn('en', count);
const countedEn = (count: number, one: string, many: string): string =>
  `${numberEn(count)} ${count === 1 ? one : many}`;

const en: Words = {
  meanings: {
    healthy: 'Everything that was checked works, for people and for agents.',
    degraded: 'Visitors can open the site, but parts of it do not work as they should.',
    down: 'Visitors see a blank page or an error: the engine bundle or its configuration does not work.',
    stale: 'The site works, but what is live is not the version that was expected.',
    unknown: 'Some checks could not be completed here, so nothing certain can be said of the site.',
  },
  strict: 'Nothing failed, but warnings count as faults in this run.',
  checkedAt: 'Checked',
  duration: 'Took',
  tool: 'Tool',
  version: 'Version',
  fresh: 'the expected one is live',
  old: 'not the expected one',
  waiting: 'Waiting for the new version',
  waited: (elapsed, atMost, runs) =>
    `Waited ${elapsed} (the limit was ${atMost}) and asked ${countedEn(runs, 'time', 'times')}.`,
  waitedFor: {
    source: 'The site was compared with the source that it is deployed from.',
    version: 'The site was asked for the version that it tells.',
    since: 'A change of the engine bundle was looked for.',
    health: 'No version was expected: a healthy site was enough.',
  },
  firstNew: 'First new byte',
  allNew: 'All samples new',
  allGreen: 'All green',
  notReached: 'not reached',
  checks: 'Checks',
  status: 'Status',
  check: 'Check',
  target: 'Target',
  time: 'Time',
  contents: 'At a glance',
  findings: 'Findings',
  cause: 'One cause',
  passed: 'Passed',
  skipped: 'Skipped',
  fix: 'How to fix it',
  advice: 'What to do',
  sameFix: 'The same as for',
  action: 'Documented action',
  also: 'Also at',
  onSite: 'on the site:',
  otherVersion: 'another version of this file is live',
  note: 'good to know',
  requests: (count) => countedEn(count, 'request', 'requests'),
  attempts: (count) => countedEn(count, 'attempt', 'attempts'),
  moreFindings: (count) => `Show ${numberEn(count)} more`,
  morePlaces: (count) => countedEn(count, 'more place', 'more places'),
  leftOut: (count) => `${numberEn(count)} more left out, so that this file opens fast. The JSON report has them all.`,
  cut: (count) => `… and ${numberEn(count)} more`,
  dns: 'DNS',
  connect: 'connect',
  tls: 'TLS',
  firstByte: 'first byte',
  total: 'total',
  madeBy:
    'Made by docvitals. This file is complete in itself: it has no scripts and asks for nothing from the network.',
};

const numberRo = (count: number): string => numberIn('ro', count);
const countedRo = (count: number, one: string, many: string): string => inWords(count, one, many, numberRo(count));

const ro: Words = {
  meanings: {
    healthy: 'Tot ce s-a verificat funcționează, pentru oameni și pentru agenți.',
    degraded: 'Vizitatorii pot deschide site-ul, dar unele părți ale lui nu funcționează cum ar trebui.',
    down: 'Vizitatorii văd o pagină albă sau o eroare: pachetul motorului sau configurația lui nu funcționează.',
    stale: 'Site-ul funcționează, dar versiunea publicată nu este cea așteptată.',
    unknown: 'Unele verificări nu au putut fi încheiate aici, așa că nu se poate spune nimic sigur despre site.',
  },
  strict: 'Nicio verificare nu a eșuat, dar în această rulare avertismentele contează ca defecte.',
  checkedAt: 'Verificat',
  duration: 'A durat',
  tool: 'Instrument',
  version: 'Versiune',
  fresh: 'este publicată cea așteptată',
  old: 'nu este cea așteptată',
  waiting: 'Așteptarea versiunii noi',
  waited: (elapsed, atMost, runs) =>
    `S-au așteptat ${elapsed} (limita a fost de ${atMost}), cu ${countedRo(runs, 'rundă', 'runde')} de cereri.`,
  waitedFor: {
    source: 'Site-ul a fost comparat cu sursa din care este publicat.',
    version: 'Site-ul a fost întrebat ce versiune are.',
    since: 'S-a căutat o schimbare a pachetului motorului.',
    health: 'Nu era așteptată nicio versiune: era destul ca site-ul să fie sănătos.',
  },
  firstNew: 'Primul octet nou',
  allNew: 'Toate eșantioanele noi',
  allGreen: 'Totul în regulă',
  notReached: 'nu s-a ajuns aici',
  checks: 'Verificări',
  status: 'Stare',
  check: 'Verificare',
  target: 'Țintă',
  time: 'Timp',
  contents: 'Pe scurt',
  findings: 'Constatări',
  cause: 'O singură cauză',
  passed: 'Reușite',
  skipped: 'Omise',
  fix: 'Cum se remediază',
  advice: 'Ce este de făcut',
  sameFix: 'La fel ca pentru',
  action: 'Acțiune documentată',
  also: 'Și la',
  onSite: 'pe site:',
  otherVersion: 'este publicată altă versiune a acestui fișier',
  note: 'bine de știut',
  requests: (count) => countedRo(count, 'cerere', 'cereri'),
  attempts: (count) => countedRo(count, 'încercare', 'încercări'),
  moreFindings: (count) => `Afișați încă ${numberRo(count)}`,
  morePlaces: (count) => `încă ${countedRo(count, 'loc', 'locuri')}`,
  leftOut: (count) =>
    `Încă ${numberRo(count)} au fost lăsate deoparte, ca acest fișier să se deschidă repede. Raportul JSON le are pe toate.`,
  cut: (count) => `… și încă ${numberRo(count)}`,
  dns: 'DNS',
  connect: 'conectare',
  tls: 'TLS',
  firstByte: 'primul octet',
  total: 'total',
  madeBy: 'Creat de docvitals. Acest fișier este complet: nu are scripturi și nu cere nimic din rețea.',
};

const numberFr = (count: number): string => numberIn('fr', count);
const countedFr = (count: number, one: string, many: string): string =>
  `${numberFr(count)} ${isOneInFrench(count) ? one : many}`;

const fr: Words = {
  meanings: {
    healthy: 'Tout ce qui a été vérifié fonctionne, pour les personnes et pour les agents.',
    degraded:
      'Les visiteurs peuvent ouvrir le site, mais certaines parties ne fonctionnent pas comme elles le devraient.',
    down: 'Les visiteurs voient une page blanche ou une erreur : le bundle du moteur ou sa configuration ne fonctionne pas.',
    stale: 'Le site fonctionne, mais la version en ligne n’est pas celle qui était attendue.',
    unknown: 'Certaines vérifications n’ont pas pu être menées à bien ici : rien de certain ne peut être dit du site.',
  },
  strict: 'Rien n’est en échec, mais les avertissements comptent comme des défauts dans cette exécution.',
  checkedAt: 'Vérifié',
  duration: 'Durée',
  tool: 'Outil',
  version: 'Version',
  fresh: 'celle qui est attendue est en ligne',
  old: 'ce n’est pas celle qui est attendue',
  waiting: 'Attente de la nouvelle version',
  waited: (elapsed, atMost, runs) =>
    `Attente de ${elapsed} (la limite était de ${atMost}), en ${countedFr(runs, 'série', 'séries')} de requêtes.`,
  waitedFor: {
    source: 'Le site a été comparé à la source à partir de laquelle il est déployé.',
    version: 'La version que le site annonce lui a été demandée.',
    since: 'Un changement du bundle du moteur était attendu.',
    health: 'Aucune version n’était attendue : un site sain suffisait.',
  },
  firstNew: 'Premier octet nouveau',
  allNew: 'Tous les échantillons nouveaux',
  allGreen: 'Tout au vert',
  notReached: 'pas atteint',
  checks: 'Vérifications',
  status: 'État',
  check: 'Vérification',
  target: 'Cible',
  time: 'Temps',
  contents: 'En bref',
  findings: 'Constats',
  cause: 'Une seule cause',
  passed: 'Réussies',
  skipped: 'Omises',
  fix: 'Comment corriger',
  advice: 'Que faire',
  sameFix: 'La même chose que pour',
  action: 'Action documentée',
  also: 'Aussi à',
  onSite: 'sur le site :',
  otherVersion: 'une autre version de ce fichier est en ligne',
  note: 'bon à savoir',
  requests: (count) => countedFr(count, 'requête', 'requêtes'),
  attempts: (count) => countedFr(count, 'tentative', 'tentatives'),
  moreFindings: (count) => `En afficher ${numberFr(count)} de plus`,
  morePlaces: (count) => countedFr(count, 'autre endroit', 'autres endroits'),
  leftOut: (count) =>
    `${numberFr(count)} de plus ont été laissés de côté, pour que ce fichier s’ouvre vite. Le rapport JSON les contient tous.`,
  cut: (count) => `… et ${numberFr(count)} de plus`,
  dns: 'DNS',
  connect: 'connexion',
  tls: 'TLS',
  firstByte: 'premier octet',
  total: 'total',
  madeBy: 'Produit par docvitals. Ce fichier se suffit à lui-même : il n’a pas de script et ne demande rien au réseau.',
};

const WORDS: Readonly<Record<Language, Words>> = { en, ro, fr };

/** The words of one language. */
export function wordsIn(language: Language): Words {
  return WORDS[language];
}
