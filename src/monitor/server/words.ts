import type { Language } from '../../texts.ts';
import type { ProblemCode, PROBLEMS } from './problem.ts';

/** What the server says to people: problems of requests. */

/** Every word exists in all languages. */
export interface Words {
  /** What a status says. */
  readonly titles: Readonly<Record<(typeof PROBLEMS)[ProblemCode], string>>;
  /** What is wrong, and what helps. `parameter`: the name of the parameter that it is about; empty: none. */
  readonly details: Readonly<Record<ProblemCode, (parameter: string) => string>>;
  /** What the API is, in its description. */
  readonly api: {
    readonly title: string;
    readonly description: string;
    /** What is answered instead where something is wrong. */
    readonly problem: string;
    readonly operations: Readonly<
      Record<'incidents' | 'incident' | 'sites' | 'site' | 'history' | 'maintenance' | 'openapi', string>
    >;
    readonly parameters: Readonly<
      Record<'site' | 'open' | 'since' | 'before' | 'limit' | 'lang' | 'resolution' | 'from' | 'to', string>
    >;
  };
}

const en: Words = {
  titles: {
    400: 'Bad request',
    403: 'Forbidden',
    404: 'Not found',
    405: 'Method not allowed',
    414: 'URI too long',
    421: 'Misdirected request',
    500: 'Internal error',
    503: 'Service unavailable',
  },
  details: {
    'bad-request': () => 'The request cannot be read.',
    'bad-parameter': (parameter) => `The parameter "${parameter}" does not hold what it may hold.`,
    'bad-target': () =>
      'The parameter "target" has to be the id of a site, or an http or https URL without user name, password, query and fragment.',
    'unknown-module': () =>
      'There is no such module: "five" and "full" are there always, others are declared under monitor.probe.modules.',
    'target-not-allowed': () =>
      'This target is not on the list: only what monitor.probe.targets names may be probed, a site of the monitor by its id or URL.',
    'not-found': () => 'There is nothing at this path.',
    'unknown-site': () => 'The monitor does not know this site.',
    'unknown-incident': () => 'There is no such incident.',
    'method-not-allowed': () => 'Everything here can only be read: with GET or HEAD.',
    'uri-too-long': () => 'The path with its query is too long.',
    'host-not-known': () =>
      'The server listens on this machine only and does not answer for this host name. Behind a proxy, set monitor.page.url to the address that people use.',
    internal: () => 'Something went wrong here. The log of the monitor says what.',
    'store-failed': () => 'The database cannot be read now. The log of the monitor says why.',
    'too-many-probes': () => 'Too many probes go on already. Try again later.',
  },
  api: {
    title: 'docvitals monitor',
    description: 'What the monitor knows, to read: sites, incidents, history, maintenance. Times are ISO 8601 in UTC.',
    problem: 'What is wrong with the request, or here.',
    operations: {
      incidents: 'The incidents, the newest first. Where there are more, the header Link leads to them.',
      incident: 'One incident, with what failed when it was looked at last.',
      sites: 'The sites, as they are now.',
      site: 'One site with its checks.',
      history: 'What happened at a site, the oldest first.',
      maintenance: 'Maintenance that goes on, and what comes next.',
      openapi: 'This description.',
    },
    parameters: {
      site: 'Only this site, by its id.',
      open: 'true: only those that are open; false: only those that are over.',
      since: 'Only what was detected at this time or later.',
      before: 'Only what was detected before this time.',
      limit: 'How many at most.',
      lang: 'The language of problem and fix.',
      resolution: 'Each round, or what rounds came to in a minute, an hour, a day (UTC).',
      from: 'From this time on.',
      to: 'Until before this time.',
    },
  },
};

const ro: Words = {
  titles: {
    400: 'Cerere greșită',
    403: 'Interzis',
    404: 'Negăsit',
    405: 'Metodă nepermisă',
    414: 'URI prea lung',
    421: 'Cerere trimisă greșit',
    500: 'Eroare internă',
    503: 'Serviciu indisponibil',
  },
  details: {
    'bad-request': () => 'Cererea nu poate fi citită.',
    'bad-parameter': (parameter) => `Parametrul „${parameter}” nu conține ceva ce poate conține.`,
    'bad-target': () =>
      'Parametrul „target” trebuie să fie id-ul unui site sau un URL http ori https fără nume de utilizator, parolă, interogare și fragment.',
    'unknown-module': () =>
      'Nu există un astfel de modul: „five” și „full” există întotdeauna, altele se declară la monitor.probe.modules.',
    'target-not-allowed': () =>
      'Această țintă nu este pe listă: poate fi sondat doar ceea ce numește monitor.probe.targets, un site al monitorului prin id-ul sau URL-ul lui.',
    'not-found': () => 'Nu există nimic la această cale.',
    'unknown-site': () => 'Monitorul nu cunoaște acest site.',
    'unknown-incident': () => 'Nu există un astfel de incident.',
    'method-not-allowed': () => 'Aici totul se poate doar citi: cu GET sau HEAD.',
    'uri-too-long': () => 'Calea cu interogarea ei este prea lungă.',
    'host-not-known': () =>
      'Serverul ascultă numai pe acest calculator și nu răspunde pentru acest nume de gazdă. În spatele unui proxy, puneți în monitor.page.url adresa pe care o folosesc oamenii.',
    internal: () => 'Ceva nu a mers aici. Jurnalul monitorului spune ce.',
    'store-failed': () => 'Baza de date nu poate fi citită acum. Jurnalul monitorului spune de ce.',
    'too-many-probes': () => 'Sunt deja prea multe sondări în curs. Încercați din nou mai târziu.',
  },
  api: {
    title: 'Monitorul docvitals',
    description:
      'Ce știe monitorul, numai pentru citire: site-uri, incidente, istoric, mentenanță. Orele sunt ISO 8601, în UTC.',
    problem: 'Ce este greșit la cerere sau aici.',
    operations: {
      incidents: 'Incidentele, cele mai noi întâi. Dacă sunt mai multe, antetul Link duce la ele.',
      incident: 'Un incident, cu ce nu mergea la ultima verificare.',
      sites: 'Site-urile, cum sunt acum.',
      site: 'Un site cu verificările lui.',
      history: 'Ce s-a întâmplat la un site, de la cel mai vechi.',
      maintenance: 'Mentenanța în curs și cea care urmează.',
      openapi: 'Această descriere.',
    },
    parameters: {
      site: 'Numai acest site, după id.',
      open: 'true: numai cele deschise; false: numai cele încheiate.',
      since: 'Numai ce s-a constatat la această oră sau mai târziu.',
      before: 'Numai ce s-a constatat înainte de această oră.',
      limit: 'Câte cel mult.',
      lang: 'Limba problemei și a remediului.',
      resolution: 'Fiecare rundă, sau la ce au ajuns rundele într-un minut, o oră, o zi (UTC).',
      from: 'De la această oră.',
      to: 'Până înainte de această oră.',
    },
  },
};

const fr: Words = {
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

const WORDS: Readonly<Record<Language, Words>> = { en, ro, fr };

/** The words of one language. */
export function wordsIn(language: Language): Words {
  return WORDS[language];
}
