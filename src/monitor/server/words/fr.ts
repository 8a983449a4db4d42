import type { Words } from './words.ts';

export const words: Words = {
  titles: {
    400: 'Requête incorrecte',
    403: 'Interdit',
    404: 'Introuvable',
    405: 'Méthode non autorisée',
    414: 'URI trop longue',
    421: 'Requête mal dirigée',
    500: 'Erreur interne',
    503: 'Service indisponible',
  },
  details: {
    'bad-request': () => 'La requête est illisible.',
    'bad-parameter': (parameter) => `Le paramètre « ${parameter} » ne contient pas ce qu’il peut contenir.`,
    'bad-target': () =>
      'Le paramètre « target » doit être l’id d’un site, ou une URL http ou https sans nom d’utilisateur, mot de passe, requête ni fragment.',
    'unknown-module': () =>
      'Ce module n’existe pas : « five » et « full » existent toujours, les autres se déclarent sous monitor.probe.modules.',
    'target-not-allowed': () =>
      'Cette cible n’est pas sur la liste : seul ce que nomme monitor.probe.targets peut être sondé, un site du moniteur par son id ou son URL.',
    'not-found': () => 'Il n’y a rien à ce chemin.',
    'unknown-site': () => 'Le moniteur ne connaît pas ce site.',
    'unknown-incident': () => 'Cet incident n’existe pas.',
    'method-not-allowed': () => 'Ici, tout se lit seulement : avec GET ou HEAD.',
    'uri-too-long': () => 'Le chemin avec sa requête est trop long.',
    'host-not-known': () =>
      'Le serveur n’écoute que sur cette machine et ne répond pas pour ce nom d’hôte. Derrière un proxy, mettez dans monitor.page.url l’adresse que l’on utilise.',
    internal: () => 'Quelque chose s’est mal passé ici. Le journal du moniteur dit quoi.',
    'store-failed': () => 'La base de données est illisible en ce moment. Le journal du moniteur dit pourquoi.',
    'too-many-probes': () => 'Trop de sondages sont déjà en cours. Réessayez plus tard.',
  },
  api: {
    title: 'Le moniteur docvitals',
    description:
      'Ce que sait le moniteur, en lecture : sites, incidents, historique, maintenance. Les heures sont en ISO 8601, UTC.',
    problem: 'Ce qui ne va pas dans la requête, ou ici.',
    operations: {
      incidents: 'Les incidents, les plus récents d’abord. S’il y en a d’autres, l’en-tête Link y mène.',
      incident: 'Un incident, avec ce qui échouait à la dernière vérification.',
      sites: 'Les sites, dans leur état actuel.',
      site: 'Un site et ses contrôles.',
      history: 'Ce qui s’est passé sur un site, du plus ancien au plus récent.',
      maintenance: 'La maintenance en cours et celle qui vient.',
      openapi: 'Cette description.',
    },
    parameters: {
      site: 'Ce site seulement, par son id.',
      open: 'true : seulement ceux qui sont ouverts ; false : seulement ceux qui sont terminés.',
      since: 'Seulement ce qui a été constaté à cette heure ou plus tard.',
      before: 'Seulement ce qui a été constaté avant cette heure.',
      limit: 'Combien au plus.',
      lang: 'La langue du problème et du remède.',
      resolution: 'Chaque passage, ou le bilan des passages d’une minute, d’une heure, d’un jour (UTC).',
      from: 'À partir de cette heure.',
      to: 'Jusque avant cette heure.',
    },
  },
};
