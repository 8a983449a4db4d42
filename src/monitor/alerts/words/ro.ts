import { counted } from '../../../messages/counted-ro.ts';
import type { AlertWords } from './words.ts';

const VERDICTS = { down: 'căzut', degraded: 'degradat', stale: 'neactualizat' } as const;

export const words: AlertWords = {
  units: { day: 'z', hour: 'h', minute: 'min', second: 's' },
  decimal: ',',
  colon: ': ',
  subject(event, verdict, site, lasting) {
    if (event === 'opened') return `${site} este ${VERDICTS[verdict]}`;
    return event === 'reminder'
      ? `${site} este tot ${VERDICTS[verdict]}, de ${lasting}`
      : `${site} și-a revenit după ${lasting}`;
  },
  upAgain: (verdict, site, lasting) => `${site} nu mai este căzut după ${lasting}, dar este ${VERDICTS[verdict]}`,
  test: '[TEST]',
  testNote: 'Acesta este un test al rutei de alertare. Site-ul nu are nimic.',
  meaning: {
    down: 'Vizitatorii văd o pagină goală.',
    degraded: 'Site-ul se deschide, dar o parte din el nu funcționează.',
    stale: 'Site-ul funcționează, dar ce este publicat nu este versiunea așteptată.',
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
    `revenit în ${duration}, obiectiv ${objective}: ${isMet ? 'atins' : 'depășit'}`,
  objective: (objective, isPassed) =>
    isPassed ? `obiectiv ${objective}: depășit deja` : `obiectiv: revenit în cel mult ${objective}`,
  fromDetection: (duration) => `${duration} (de la detectare)`,
  labels: {
    site: 'Site',
    checks: 'Verificări',
    codes: 'Constatări',
    started: 'Văzut bine ultima dată',
    maintained: 'Sfârșitul mentenanței',
    seenFirst: 'Văzut prima dată',
    seenUp: 'Ultima dată când nu era căzut',
    outageEnded: 'Sfârșitul căderii',
    detected: 'Detectat',
    notified: 'Prima alertă',
    recovered: 'Revenit',
    incident: 'Incident',
    fix: 'Ce este de făcut',
    seen: 'Ce s-a văzut',
    statusPage: 'Pagina de stare',
    openSite: 'Deschideți site-ul',
  },
  also: (sites) => `Aceeași cauză afectează și: ${sites.join(', ')}.`,
  deploy: (version, before, seenAt) =>
    `Publicare suspectată: ${version}${before === null ? '' : ` în locul ${before}`}, văzută prima dată ${seenAt}.`,
  flapping: 'Site-ul cade și își revine mereu; se consideră revenit după ce rămâne bine o vreme.',
  more: (count) => `… și încă ${counted(count, 'constatare', 'constatări')}`,
  sentBy: 'Trimis de monitorul docvitals.',
  command: {
    sent: (route, channel, took) => `${route} (${channel}): trimis în ${took}`,
    notSent: (route, channel, took, error) => `${route} (${channel}): netrimis după ${took}: ${error}`,
    noneWaits: 'Nicio alertă nu așteaptă să fie trimisă.',
    others: (count) => `În urma acestora mai așteaptă ${counted(count, 'alertă', 'alerte')}.`,
    soon: 'cât mai curând',
    heads: ['Rută', 'Alertă', 'Site', 'Următoarea încercare', 'Încercări', 'Eroare'],
  },
  issueChanged(added, gone) {
    const parts = [
      ...(added.length === 0 ? [] : [`Nou: ${added.join(', ')}.`]),
      ...(gone.length === 0 ? [] : [`Dispărut: ${gone.join(', ')}.`]),
    ];
    return parts.join(' ');
  },
  issueReopened: 'Redeschis: site-ul încă nu este bine.',
  issueRecovered: 'Site-ul și-a revenit, așa că tichetul se închide.',
};
