import { counted as inWords } from '../../../messages/counted-ro.ts';
import { numberIn } from '../../../messages/number.ts';
import type { Words } from '../words.ts';

const number = (count: number): string => numberIn('ro', count);
const counted = (count: number, one: string, many: string): string => inWords(count, one, many, number(count));

export const words: Words = {
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
    `S-au așteptat ${elapsed} (limita a fost de ${atMost}), cu ${counted(runs, 'rundă', 'runde')} de cereri.`,
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
  requests: (count) => counted(count, 'cerere', 'cereri'),
  attempts: (count) => counted(count, 'încercare', 'încercări'),
  moreFindings: (count) => `Afișați încă ${number(count)}`,
  morePlaces: (count) => `încă ${counted(count, 'loc', 'locuri')}`,
  leftOut: (count) =>
    `Încă ${number(count)} au fost lăsate deoparte, ca acest fișier să se deschidă repede. Raportul JSON le are pe toate.`,
  cut: (count) => `… și încă ${number(count)}`,
  dns: 'DNS',
  connect: 'conectare',
  tls: 'TLS',
  firstByte: 'primul octet',
  total: 'total',
  madeBy: 'Creat de docvitals. Acest fișier este complet: nu are scripturi și nu cere nimic din rețea.',
};
