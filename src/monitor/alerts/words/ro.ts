import { counted } from '../../../messages/counted-ro.ts';
import type { AlertWords } from './en.ts';

const VERDICTS = { down: 'indisponibil', degraded: 'degradat', stale: 'învechit' } as const;

export const words: AlertWords = {
  units: { day: 'z', hour: 'h', minute: 'min', second: 's' },
  decimal: ',',
  colon: ': ',
  subject(event, verdict, site, lasting) {
    if (event === 'recovered') return `${site} și-a revenit după ${lasting}`;
    return event === 'opened'
      ? `${site} este ${VERDICTS[verdict]}`
      : `${site} este în continuare ${VERDICTS[verdict]}, de ${lasting}`;
  },
  upAgain: (verdict, site, lasting) => `${site} este din nou disponibil după ${lasting}, dar ${VERDICTS[verdict]}`,
  test: '[TEST]',
  testNote: 'Acesta este un test al rutei de notificare. Site-ul nu are nicio problemă.',
  meaning: {
    down: 'Vizitatorii văd o pagină goală.',
    degraded: 'Site-ul se deschide, dar o parte din el nu funcționează.',
    stale: 'Site-ul funcționează, dar versiunea publicată nu este cea așteptată.',
  },
  notices: {
    damaged: {
      subject: 'docvitals: baza de date a monitorului era deteriorată',
      problem:
        'Baza de date a fost redenumită și a fost creată una nouă. Incidentele și notificările care au putut fi citite au fost copiate; restul istoricului lipsește, iar un incident deschis poate fi notificat din nou.',
      fix: 'Verificați discul monitorului. Fișierul redenumit se află lângă cel nou, cu `.corrupt-` și ora în nume.',
    },
    replaced: {
      subject: 'docvitals: baza de date a monitorului a fost ștearsă sau înlocuită',
      problem:
        'Fișierul bazei de date a fost șters sau înlocuit în timp ce monitorul rula. A fost creat unul nou, cu toate incidentele și notificările; istoricul anterior al timpilor de răspuns lipsește.',
      fix: 'Opriți monitorul înainte de a muta sau restaura baza de date. Fișierul pus în locul ei este păstrat alături, cu `.corrupt-` și ora în nume.',
    },
  },
  recovered: (duration, objective, isMet) =>
    `recuperat în ${duration}, obiectiv de timp de recuperare ${objective}: ${isMet ? 'atins' : 'depășit'}`,
  objective: (objective, isPassed) => `obiectiv de timp de recuperare ${objective}${isPassed ? ': depășit deja' : ''}`,
  fromDetection: (duration) => `${duration} (de la detectare)`,
  labels: {
    site: 'Site',
    checks: 'Verificări',
    codes: 'Constatări',
    started: 'Ultima dată funcțional',
    maintained: 'Sfârșitul mentenanței',
    seenFirst: 'Prima rulare eșuată',
    seenUp: 'Ultima dată disponibil',
    outageEnded: 'Sfârșitul întreruperii',
    detected: 'Detectat',
    notified: 'Notificat',
    recovered: 'Recuperat',
    incident: 'Incident',
    fix: 'Remediere',
    statusPage: 'Pagina de stare',
    openSite: 'Deschideți site-ul',
  },
  also: (sites) => `Aceeași cauză afectează și: ${sites.join(', ')}.`,
  deploy: (version, before, seenAt) =>
    `Publicare suspectată: ${version}${before === null ? '' : ` în locul ${before}`}, văzută prima dată ${seenAt}.`,
  flapping:
    'Site-ul devine repetat indisponibil și își revine; se consideră recuperat după ce rămâne funcțional o vreme.',
  more: (count) => `… și încă ${counted(count, 'constatare', 'constatări')}`,
  sentBy: 'Trimis de monitorul docvitals.',
  command: {
    sent: (route, channel, took) => `${route} (${channel}): trimis în ${took}`,
    notSent: (route, channel, took, error) => `${route} (${channel}): netrimis după ${took}: ${error}`,
    noneWaits: 'Nicio notificare nu așteaptă să fie trimisă.',
    others: (count) => `Mai așteaptă ${counted(count, 'notificare', 'notificări')}.`,
    soon: 'cât mai curând',
    heads: ['Rută', 'Eveniment', 'Site', 'Următoarea încercare', 'Încercări', 'Eroare'],
  },
  issueChanged: (added, gone) =>
    [
      ...(added.length === 0 ? [] : [`Nou: ${added.join(', ')}.`]),
      ...(gone.length === 0 ? [] : [`Dispărut: ${gone.join(', ')}.`]),
    ].join(' '),
  issueReopened: 'Redeschis: site-ul încă nu este funcțional.',
  issueRecovered: 'Site-ul și-a revenit, așa că tichetul se închide.',
};
