/** The words of generated sites: a lighthouse keeper's handbook in four languages. Lists of one kind are equally long. */
export interface Words {
  readonly label: string;
  readonly manual: string;
  readonly contents: string;
  readonly home: string;
  readonly titles: readonly string[];
  readonly sections: readonly string[];
  readonly sentences: readonly string[];
}

export type Language = 'en' | 'ro' | 'fr' | 'ja';

export const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    label: 'English',
    manual: 'Lighthouse handbook',
    contents: 'Contents',
    home: 'Home',
    titles: ['The lamp', 'Fog signals', 'The keeper’s log', 'Lenses', 'Storms', 'Boats', 'Oil & wicks', 'The stairs'],
    sections: ['Before you begin', 'Daily rounds', 'What can go wrong?', 'Spare parts', '`lamp` and its switches'],
    sentences: [
      'The lamp is lit half an hour before the sun goes down and put out when the last boat is in.',
      'Every reading goes into the log, with the hour and the name of whoever took it.',
      'Salt settles on the glass within a day, so the lenses are wiped each morning with a dry cloth.',
      'When the fog horn sounds, the count of its blasts says which of the three rocks is near.',
      'A second wick lies ready beside the first, trimmed and dry, because storms do not wait.',
      'The stairs have ninety-one steps, and the keeper counts them aloud in the dark.',
    ],
  },
  ro: {
    label: 'Română',
    manual: 'Manualul farului',
    contents: 'Cuprins',
    home: 'Acasă',
    titles: [
      'Lampa',
      'Semnale de ceață',
      'Jurnalul paznicului',
      'Lentile',
      'Furtuni',
      'Bărci',
      'Ulei și fitile',
      'Scările',
    ],
    sections: [
      'Înainte de a începe',
      'Rondul zilnic',
      'Ce poate merge prost?',
      'Piese de schimb',
      '`lamp` și butoanele',
    ],
    sentences: [
      'Lampa se aprinde cu o jumătate de oră înainte de apus și se stinge când intră ultima barcă.',
      'Fiecare citire se trece în jurnal, cu ora și numele celui care a făcut-o.',
      'Sarea se așază pe sticlă într-o zi, așa că lentilele se șterg în fiecare dimineață cu o cârpă uscată.',
      'Când sună sirena de ceață, numărul sunetelor spune care dintre cele trei stânci este aproape.',
      'Un al doilea fitil stă pregătit lângă primul, tuns și uscat, fiindcă furtunile nu așteaptă.',
      'Scara are nouăzeci și una de trepte, iar paznicul le numără cu glas tare pe întuneric.',
    ],
  },
  fr: {
    label: 'Français',
    manual: 'Manuel du phare',
    contents: 'Sommaire',
    home: 'Accueil',
    titles: [
      'La lampe',
      'Signaux de brume',
      'Le journal du gardien',
      'Lentilles',
      'Tempêtes',
      'Bateaux',
      'Huile et mèches',
      'L’escalier',
    ],
    sections: [
      'Avant de commencer',
      'Ronde du jour',
      'Où est le défaut ?',
      'Pièces de rechange',
      '`lamp` et ses boutons',
    ],
    sentences: [
      'La lampe est allumée une demi-heure avant le coucher du soleil et éteinte quand le dernier bateau est rentré.',
      'Chaque relevé va dans le journal, avec l’heure et le nom de celui qui l’a fait.',
      'Le sel se dépose sur le verre en un jour : chaque matin, les lentilles sont essuyées avec un chiffon sec.',
      'Quand la corne de brume sonne, le nombre de coups dit lequel des trois rochers est proche.',
      'Une seconde mèche attend près de la première, taillée et sèche, car les tempêtes n’attendent pas.',
      'L’escalier a quatre-vingt-onze marches, et le gardien les compte à voix haute dans le noir.',
    ],
  },
  ja: {
    label: '日本語',
    manual: '灯台の手引き',
    contents: '目次',
    home: 'ホーム',
    titles: ['ランプ', '霧信号', '灯台守の日誌', 'レンズ', '嵐', '船', '油と芯', '階段'],
    sections: ['始める前に', '毎日の見回り', '困ったときは', '予備の部品', '`lamp` とスイッチ'],
    sentences: [
      'ランプは日没の三十分前に灯し、最後の船が入ったら消します。',
      '測った値はすべて、時刻と測った人の名前を添えて日誌に書きます。',
      '塩は一日でガラスに付くので、レンズは毎朝乾いた布で拭きます。',
      '霧笛が鳴ると、その回数で三つの岩のどれが近いかがわかります。',
      '嵐は待ってくれないので、二本目の芯はいつも乾かして用意しておきます。',
      '階段は九十一段あり、灯台守は暗い中で声に出して数えます。',
    ],
  },
};

/** Names of files and folders as people give them, without extension. */
export const FILE_NAMES: readonly string[] = [
  'setup',
  'first steps',
  'Release-Notes',
  'pași următori',
  'café crème',
  '潮位表',
  'v1.2',
  'faq_and_answers',
  'C++ notes',
  'ships & boats',
  'keeper’s log',
  'plan (draft)',
  '100% cover',
  'Überblick',
];
