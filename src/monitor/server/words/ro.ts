import type { Words } from './words.ts';

export const words: Words = {
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
