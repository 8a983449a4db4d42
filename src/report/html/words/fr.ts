import { isOneInFrench, numberIn } from '../../../messages/number.ts';
import type { Words } from '../words.ts';

const number = (count: number): string => numberIn('fr', count);
const counted = (count: number, one: string, many: string): string =>
  `${number(count)} ${isOneInFrench(count) ? one : many}`;

export const words: Words = {
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
    `Attente de ${elapsed} (la limite était de ${atMost}), en ${counted(runs, 'série', 'séries')} de requêtes.`,
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
  requests: (count) => counted(count, 'requête', 'requêtes'),
  attempts: (count) => counted(count, 'tentative', 'tentatives'),
  moreFindings: (count) => `En afficher ${number(count)} de plus`,
  morePlaces: (count) => counted(count, 'autre endroit', 'autres endroits'),
  leftOut: (count) =>
    `${number(count)} de plus ont été laissés de côté, pour que ce fichier s’ouvre vite. Le rapport JSON les contient tous.`,
  cut: (count) => `… et ${number(count)} de plus`,
  dns: 'DNS',
  connect: 'connexion',
  tls: 'TLS',
  firstByte: 'premier octet',
  total: 'total',
  madeBy: 'Produit par docvitals. Ce fichier se suffit à lui-même : il n’a pas de script et ne demande rien au réseau.',
};
