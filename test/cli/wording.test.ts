/** Sentences that were wrong or misleading, as the built command prints them: what is to be read instead, by rule. */
import { expect, it } from 'vitest';
import type { Language } from '../../src/texts.ts';
import { runCli } from './run.ts';

/** What is to be read in a language, and the words that were there before. */
type Sentence = readonly [language: Language, wanted: string, unwanted?: string];
type Row = readonly [rule: string, ...sentences: Sentence[]];

const SENTENCES: readonly Row[] = [
  [
    'links/backslash',
    ['en', 'browsers treat `\\` as `/`', 'turn it round'],
    ['ro', 'browserele tratează `\\` ca pe `/`'],
    ['fr', 'les navigateurs traitent `\\` comme `/`'],
  ],
  [
    'deployed-version/no-version',
    ['en', 'the first seven characters', 'seven digits'],
    ['ro', 'primele șapte caractere', 'șapte cifre'],
    ['fr', 'les sept premiers caractères', 'chiffres'],
  ],
  ['deployed-version/not-changed', ['ro', 'configurați publicarea să scrie versiunea', 'puneți publicarea']],
  ['deployed-version/untold', ['ro', 'configurați publicarea să o scrie', 'puneți publicarea']],
  [
    'assets/mixed-content',
    ['en', 'to `https`'],
    ['ro', 'prin `https` toate adresele'],
    ['fr', 'en `https` toutes les adresses'],
  ],
  [
    'caching/bundle-cached',
    ['en', 'Copies that browsers have already stored stay in use until they expire', 'until it ends'],
    ['ro', 'fără `expires` în el', 'ce au păstrat'],
    ['fr', 'restent utilisées jusqu’à leur expiration', 'jusqu’à son terme'],
  ],
  [
    'links/no-answer',
    ['en', 'there was nothing to evaluate', 'nothing to judge'],
    ['ro', 'nu a fost primit', 'de judecat'],
    ['fr', 'n’a pas été reçue'],
  ],
  [
    'links/went-away',
    ['en', 'got no response', 'found nobody'],
    ['ro', 'nu au primit răspuns', 'nu a găsit pe nimeni'],
    ['fr', 'sont restées sans réponse', 'personne'],
  ],
  [
    'assets/asset-empty',
    ['en', 'exists but is empty', 'holds nothing'],
    ['ro', 'există, dar este gol'],
    ['fr', 'existe mais il est vide'],
  ],
  [
    'robots/too-many-rules',
    ['en', 'compared with them', 'held against'],
    ['ro', 'Eliminați regulile', 'dovezile spun'],
    ['fr', 'comparées avec elles', 'confrontées'],
  ],
  [
    'robots/llms-txt-unread',
    ['en', 'on behalf of a user', 'for somebody'],
    ['ro', 'în numele unui utilizator', 'pentru cineva'],
    ['fr', 'pour le compte d’un utilisateur', 'pour quelqu’un'],
  ],
  [
    'robots/disallow-all',
    ['en', 'the line `User-agent: *` and below it the line `Allow: /`', 'as below'],
    ['ro', 'linia `User-agent: *` și, sub ea, linia `Allow: /`', 'ca mai jos'],
    ['fr', 'la ligne `User-agent: *` et, en dessous, la ligne `Allow: /`', 'comme ci-dessous'],
  ],
  [
    'config/trailing-comma',
    ['en', 'line and column', 'marked'],
    ['ro', 'linia și coloana', 'marcat'],
    ['fr', 'à la ligne et à la colonne', 'signalée'],
  ],
  [
    'not-found/inconsistent',
    ['en', 'their configurations differ', 'not configured alike'],
    ['ro', 'configurațiile lor diferă', 'nu există niciunul'],
    ['fr', 'leurs configurations diffèrent', 'dont aucun'],
  ],
  [
    'tls/expires-soon',
    ['en', 'systemd timer'],
    ['ro', 'timerul systemd', 'temporizator'],
    ['fr', 'timer systemd', 'minuterie'],
  ],
  ['tls/expires-soon', ['ro', 'validarea ACME', 'pentru probă'], ['fr', 'la validation ACME', 'du défi']],
  [
    'source/mixed',
    ['en', 'no single commit contains both', 'belong to no single commit'],
    ['ro', 'niciun commit nu conține atât', 's-a încheiat cu bine'],
    ['fr', 'aucun commit ne contient à la fois', 'aucun commit commun'],
  ],
  ['source/differs', ['fr', 'ne correspond à aucune version antérieure', 'que l’on ait pu trouver']],
  ['translations/prefix-shared', ['ro', 'poate fi gol sau poate lipsi la o singură limbă', 'doar una']],
  ['compression', ['en', 'uncompressed to all others', 'as it is to all others']],
];

/** What `explain` prints, on one line. */
async function explained(name: string, language: Language): Promise<string> {
  const { stdout } = await runCli(['explain', name, '--lang', language]);
  return stdout.replaceAll(/\s+/g, ' ');
}

it.concurrent.each(SENTENCES.map(([rule, ...sentences]) => ({ rule, sentences })))(
  '$rule is explained in words that are right',
  async ({ rule, sentences }) => {
    const texts = new Map(
      await Promise.all(sentences.map(async ([language]) => [language, await explained(rule, language)] as const)),
    );
    for (const [language, wanted] of sentences) expect(texts.get(language)).toContain(wanted);
    const wrong = sentences.filter(([language, , unwanted]) => unwanted && texts.get(language)?.includes(unwanted));
    expect(wrong).toEqual([]);
  },
);

it('no French page of a check asks somebody to make a host answer', async () => {
  for (const id of ['not-found', 'robots'])
    expect(await explained(id, 'fr')).not.toMatch(/faites(?:-l[ae])? répondre/i);
});
