import { expect, it } from 'vitest';
import { anyEvidence } from '../../test/reports.ts';
import type { Evidence, EvidenceValue } from '../core/answer.ts';
import { evidenceValuesWords } from '../generated/locales/evidence-values.ts';
import { REASONS } from '../http/reasons.ts';
import { LANGUAGES } from '../locales/language.ts';
import { factLines } from './facts.ts';

it.each<{ evidence: Evidence; en: readonly string[]; ro: readonly string[]; fr: readonly string[] }>([
  { evidence: { status: null }, en: [], ro: [], fr: [] },
  {
    evidence: { mediaType: 'text/html', bytes: 5012 },
    en: ['Media type: text/html', 'Size: 4.9 KiB (5,012 bytes)'],
    ro: ['Tip media: text/html', 'Dimensiune: 4,9 KiB (5.012 octeți)'],
    fr: ['Type de média : text/html', 'Taille : 4,9 Kio (5 012 octets)'],
  },
  {
    evidence: { hostBy: 'option', md: 'bundle' },
    en: ['Kind of host determined by: the --host option', '.md: engine bundle'],
    ro: ['Tipul gazdei determinat de: opțiunea --host', '.md: pachetul motorului'],
    fr: ['Type d’hébergeur déterminé par : l’option --host', '.md : bundle du moteur'],
  },
  {
    evidence: { configSeconds: 2_592_000, timeoutMs: 250, limitMs: 1500, deadlineMs: 900_000 },
    en: [
      'Lifetime of config.json in caches: 30 days (2,592,000 s)',
      'Timeout: 250 ms',
      'Time limit: 1.5 s',
      'Time limit of the run: 15 min',
    ],
    ro: [
      'Durata lui config.json în cache: 30 de zile (2.592.000 s)',
      'Timp de așteptare: 250 ms',
      'Limită de timp: 1,5 s',
      'Limita de timp a rulării: 15 min',
    ],
    fr: [
      'Durée de config.json en cache : 30 jours (2 592 000 s)',
      'Délai d’attente : 250 ms',
      'Limite de temps : 1,5 s',
      'Limite de temps de l’exécution : 15 min',
    ],
  },
  {
    evidence: { validTo: '2027-01-19T12:00:00.000Z', shallow: true, names: ['md', 'none'] },
    en: ['Valid until: 2027-01-19 12:00 UTC', 'Git history is incomplete: yes', 'Names: .md, no extension'],
    ro: ['Valabil până la: 2027-01-19 12:00 UTC', 'Istoricul Git este incomplet: da', 'Nume: .md, fără extensie'],
    fr: [
      'Valable jusqu’au : 2027-01-19 12:00 UTC',
      'L’historique Git est incomplet : oui',
      'Noms : .md, sans extension',
    ],
  },
  {
    evidence: { files: [{ path: '/a.js', bytes: 7 }, { paths: ['/b.js', '/c\n.js'] }] },
    en: ['Files 1: path /a.js; size 7 bytes', 'Files 2: paths /b.js, /c␊.js'],
    ro: ['Fișiere 1: cale /a.js; dimensiune 7 octeți', 'Fișiere 2: căi /b.js, /c␊.js'],
    fr: ['Fichiers 1 : chemin /a.js ; taille 7 octets', 'Fichiers 2 : chemins /b.js, /c␊.js'],
  },
  // As received, where no words are known for it.
  {
    evidence: { ...anyEvidence({ 'odd\n\u202e': 1 }), host: 'docs.example.com', value: '' },
    en: [String.raw`odd␊\u202e 1`, 'Host: docs.example.com', 'Value: ""'],
    ro: [String.raw`odd␊\u202e 1`, 'Gazdă: docs.example.com', 'Valoare: ""'],
    fr: [String.raw`odd␊\u202e 1`, 'Hébergeur : docs.example.com', 'Valeur : ""'],
  },
])('prints $evidence with labels', ({ evidence, ...expected }) => {
  const spaced = (line: string): string => line.replaceAll(/[\u00a0\u202f]/g, ' ');
  for (const language of LANGUAGES) expect(factLines(evidence, language).map(spaced)).toEqual(expected[language]);
});

it('ends where a value has no end', () => {
  let value: EvidenceValue = 1;
  for (let level = 0; level < 500; level++) value = [{ files: value, pages: value }];
  expect(factLines({ files: value }, 'en').join('').length).toBeLessThan(100_000);
});

it('has words for each reason in each language', () => {
  for (const language of LANGUAGES) {
    expect(Object.keys(evidenceValuesWords(language).reason)).toEqual(Object.keys(REASONS));
  }
});
