import type { ActionWords } from './words.ts';

const NOUNS = { comment: 'comentariul', issue: 'tichetul' } as const;

export const words: ActionWords = {
  notOnGitHub: () =>
    'aceasta este acțiunea GitHub, iar aici nu rulează într-un flux de lucru. Folosiți comanda: npx docvitals check https://docs.example.com/',
  badBoolean: (input, given) => `${input}: ${given} nu este nici true, nici false.`,
  badChoice: (input, given, known) => `${input}: valoare necunoscută ${given}. Cunoscute: ${known}.`,
  badLabel: (given) =>
    `issue: ${given} nu este o etichetă. Scrieți true sau o etichetă de cel mult 50 de caractere, fără virgulă.`,
  noUrl: () => 'url: nu este dată nicio adresă. Scrieți unde este situl, de exemplu https://docs.example.com/.',
  noEnvironmentUrl: () =>
    'url: nu este dată nicio adresă, iar publicarea nu spune unde poate fi văzută (environment_url). Scrieți unde este situl.',
  notDeployed: (state) => `Publicarea este în starea ${state}, nu success: încă nu este nimic de verificat.`,
  reportsIn: (folder) => `Rapoarte: ${folder}`,
  couldNotTell: () => 'docvitals nu a putut afla dacă situl este în regulă.',
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
    if (problem === 'invalid') return lead;
    return `${lead} Următoarea rulare încearcă din nou.`;
  },
  issuesOff: () => 'issue: tichetele (issues) sunt dezactivate în acest depozit.',
  issueLeft: (issue) =>
    `Tichetul #${issue} a fost închis ca neplanificat (not planned), așa că rămâne cum este până când situl își revine.`,
  workflowRun: 'Rularea fluxului de lucru',
  issueTitle(site, verdict) {
    if (verdict === 'down') return `${site} nu funcționează`;
    if (verdict === 'stale') return `${site} este publicat într-o versiune veche`;
    return `${site} funcționează cu probleme`;
  },
  issueIntroduction: 'docvitals ține acest tichet la zi și îl închide când situl este din nou în regulă.',
  issueChanged(added, gone) {
    const lines = [
      ...(added.length === 0 ? [] : [`Noi: ${added.join(', ')}`]),
      ...(gone.length === 0 ? [] : [`Nu mai sunt: ${gone.join(', ')}`]),
    ];
    return lines.join('\n\n');
  },
  issueReopened:
    'Situl tot nu este în regulă, așa că tichetul este din nou deschis. Închideți-l ca neplanificat (not planned) dacă doriți să rămână închis.',
  issueRecovered: () => 'Situl este din nou în regulă.',
};
