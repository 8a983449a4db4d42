/** The words of generated pages that nothing else of the program says. */
import type { Language } from '../../texts.ts';

interface SiteWords {
  readonly checks: { readonly title: string; readonly intro: string; readonly expects: string; readonly check: string };
  readonly core: { readonly title: string; readonly intro: string };
  readonly full: { readonly title: string; readonly intro: string };
  readonly shared: { readonly title: string; readonly intro: string };
  readonly own: string;
  readonly offByCheck: string;
  readonly alone: string;
  readonly seeShared: string;
  readonly inEnglish: string;
  readonly architecture: string;
  readonly changelog: string;
}

export const SITE_WORDS: Readonly<Record<Language, SiteWords>> = {
  en: {
    checks: {
      title: 'Checks',
      intro: 'Each check has a page with one section per rule: what happened, an example, and the fix on each host.',
      check: 'Check',
      expects: 'What it expects',
    },
    core: {
      title: 'Core checks',
      intro: '`docvitals check` runs these after each deployment, with one request each.',
    },
    full: {
      title: 'Checks of the full check',
      intro: 'They run with `--full`; some need another option, which their pages name.',
    },
    shared: {
      title: 'Shared pages',
      intro: 'Requests of all checks can fail in the same ways, and your own checks share their rules.',
    },
    own: 'Rules of the checks that you declare in `docvitals.yaml`. In a report, the id of your check replaces `own`.',
    offByCheck: 'A shared rule is turned off for one check at a time, for example:',
    alone: 'To run this check alone:',
    seeShared: 'All checks share this rule: evidence and fixes are in',
    inEnglish: '',
    architecture: 'Architecture',
    changelog: 'Changelog',
  },
  ro: {
    checks: {
      title: 'Verificări',
      intro:
        'Fiecare verificare are o pagină cu o secțiune pentru fiecare regulă: ce s-a întâmplat, un exemplu și remedierea pe fiecare gazdă.',
      check: 'Verificare',
      expects: 'Ce așteaptă',
    },
    core: {
      title: 'Verificări de bază',
      intro: '`docvitals check` le rulează după fiecare publicare, cu câte o singură cerere.',
    },
    full: {
      title: 'Verificările din verificarea completă',
      intro: 'Rulează cu `--full`; unele au nevoie de încă o opțiune, pe care o numesc paginile lor.',
    },
    shared: {
      title: 'Pagini comune',
      intro:
        'Cererile tuturor verificărilor pot eșua în aceleași feluri, iar verificările proprii au reguli comune între ele.',
    },
    own: 'Regulile verificărilor pe care le declarați în `docvitals.yaml`. În raport, id-ul verificării dumneavoastră apare în loc de `own`.',
    offByCheck: 'O regulă comună se dezactivează pentru fiecare verificare în parte, de exemplu:',
    alone: 'Pentru a rula numai această verificare:',
    seeShared: 'Regula este comună tuturor verificărilor: dovezile și remedierile se află în',
    inEnglish: 'Această pagină este disponibilă numai în engleză.',
    architecture: 'Arhitectură',
    changelog: 'Jurnalul modificărilor',
  },
  fr: {
    checks: {
      title: 'Contrôles',
      intro:
        'Chaque contrôle a une page avec une section par règle : ce qui s’est passé, un exemple et le correctif pour chaque hébergeur.',
      check: 'Contrôle',
      expects: 'Ce qu’il attend',
    },
    core: {
      title: 'Contrôles de base',
      intro: '`docvitals check` les exécute après chaque déploiement, avec une requête chacun.',
    },
    full: {
      title: 'Contrôles du contrôle complet',
      intro: 'Ils s’exécutent avec `--full` ; certains demandent une autre option, indiquée sur leur page.',
    },
    shared: {
      title: 'Pages communes',
      intro:
        'Les requêtes de tous les contrôles peuvent échouer de la même façon, et vos propres contrôles partagent leurs règles.',
    },
    own: 'Règles des contrôles que vous déclarez dans `docvitals.yaml`. Dans un rapport, l’identifiant de votre contrôle remplace `own`.',
    offByCheck: 'Une règle commune se désactive contrôle par contrôle, par exemple :',
    alone: 'Pour exécuter ce contrôle seul :',
    seeShared: 'Cette règle est commune à tous les contrôles : preuves et correctifs se trouvent dans',
    inEnglish: 'Cette page n’existe qu’en anglais.',
    architecture: 'Architecture',
    changelog: 'Journal des modifications',
  },
};
