import type { ActionWords } from './words.ts';

const NOUNS = { comment: 'comentariul', issue: 'tichetul' } as const;

export const words: ActionWords = {
  notOnGitHub: () =>
    'aceasta este acțiunea GitHub, iar aici nu rulează într-un flux de lucru. Folosiți comanda: npx docvitals check https://docs.example.com/',
  badBoolean: (input, given) => `${input}: ${given} nu este nici true, nici false.`,
  badChoice: (input, given, known) => `${input}: valoare necunoscută ${given}. Cunoscute: ${known}.`,
  badLabel: (given) =>
    `issue: ${given} nu este o etichetă. Scrieți true sau o etichetă de cel mult 50 de caractere, fără virgulă.`,
  noUrl: () => 'url: nu este dată nicio adresă. Scrieți unde este site-ul, de exemplu https://docs.example.com/.',
  noEnvironmentUrl: () =>
    'url: nu este dată nicio adresă, iar publicarea nu spune unde poate fi văzută (environment_url). Scrieți unde este site-ul.',
  severalLines: (input) => `${input}: sunt date mai multe rânduri, dar se așteaptă o singură adresă.`,
  repeatedHeader: (name) => `headers: ${name} este dat de mai multe ori. Scrieți fiecare antet o singură dată.`,
  notCheckedOut: (input, given) =>
    `${input}: ${given} nu există, pentru că spațiul de lucru este gol. Aduceți mai întâi depozitul, cu actions/checkout într-un pas dinaintea acestuia.`,
  configIsProgram: (file) =>
    `config: ${file} este un program, iar acest eveniment privește un commit pe care poate cineva doar l-a propus. Scrieți \`config: ${file}\` dacă totuși trebuie rulat, sau folosiți docvitals.yaml.`,
  notDeployed: (state) =>
    state === ''
      ? 'Evenimentul nu spune că publicarea a reușit: încă nu este nimic de verificat.'
      : `Publicarea este în starea ${state}, nu success: încă nu este nimic de verificat.`,
  reportsIn: (folder) => `Rapoarte: ${folder}`,
  couldNotTell: () => 'docvitals nu a putut afla dacă site-ul este în regulă.',
  versionUntold: () =>
    'wait: nimic de pe site nu spune care versiune este publicată, așa că a fost de ajuns ca site-ul să fie sănătos. Dați `source` sau publicați `version.json`.',
  noPullRequest: () =>
    'comment: pentru această rulare nu există niciun pull request, așa că nu s-a scris niciun comentariu.',
  noToken: (input) => `${input}: lipsește github-token, așa că nu s-a scris nimic pe GitHub.`,
  refused(what, problem, permission, detail) {
    const lead = `${what}: GitHub nu a primit ${NOUNS[what]} (${detail}).`;
    if (problem === 'forbidden' || problem === 'not-found')
      return `${lead} Dați jobului permisiunea de care are nevoie: \`permissions: { ${permission} }\`. Un pull request dintr-un fork sau de la Dependabot are un token care poate doar citi.`;
    if (problem === 'unauthorized') return `${lead} github-token nu este valid.`;
    if (problem === 'rate-limited')
      return `${lead} S-au făcut prea multe cereri cu acest token. Următoarea rulare încearcă din nou.`;
    if (problem === 'invalid' || problem === 'redirected' || problem === 'gone') return lead;
    return `${lead} Următoarea rulare încearcă din nou.`;
  },
  issuesOff: () => 'issue: tichetele (issues) sunt dezactivate în acest depozit.',
  issueLeft: (issue) =>
    `Tichetul #${issue} a fost închis ca neplanificat (not planned), așa că rămâne cum este până când site-ul își revine.`,
  workflowRun: 'Rularea fluxului de lucru',
  issueTitle(site, verdict) {
    if (verdict === 'down') return `${site} nu funcționează`;
    if (verdict === 'stale') return `${site} este publicat într-o versiune veche`;
    return `${site} funcționează cu probleme`;
  },
  issueIntroduction: 'docvitals ține acest tichet la zi și îl închide când site-ul este din nou în regulă.',
  issueChanged(added, gone) {
    const lines = [
      ...(added.length === 0 ? [] : [`Noi: ${added.join(', ')}`]),
      ...(gone.length === 0 ? [] : [`Nu mai sunt: ${gone.join(', ')}`]),
    ];
    return lines.join('\n\n');
  },
  issueReopened:
    'Site-ul tot nu este în regulă, așa că tichetul este din nou deschis. Închideți-l ca neplanificat (not planned) dacă doriți să rămână închis.',
  issueRecovered: () => 'Site-ul este din nou în regulă.',
};
