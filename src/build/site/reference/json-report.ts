/** `reference/json-report.md`: the report of `--format json`, from its schema. */
import { readSource } from '../../output.ts';
import { anchors, block, code, page, prose } from './markdown.ts';
import { fieldTable, type FieldOptions, type ObjectSchema } from './objects.ts';
import type { Words } from './words.ts';

type ReportSchema = ObjectSchema & { readonly $id: string; readonly $defs: Readonly<Record<string, ObjectSchema>> };

export async function reportSchema(): Promise<ReportSchema> {
  return JSON.parse(await readSource('src/report/report.schema.json')) as ReportSchema;
}

export async function jsonReportPage(words: Words): Promise<string> {
  const schema = await reportSchema();
  const objects: readonly (readonly [string, ObjectSchema])[] = [
    ['report', schema],
    ...Object.entries(schema.$defs).filter(([, { properties }]) => properties !== undefined),
  ];
  const anchorOf = anchors();
  const links = new Map(objects.map(([name, object]) => [object, `[${code(name)}](#${anchorOf(name)})`]));
  const options: FieldOptions = {
    words,
    resolve: (ref) => schema.$defs[ref.slice('#/$defs/'.length)] ?? {},
    linkOf: (object) => links.get(object),
    describe: (_path, { description = '' }) => description,
  };
  return page(words('JSON report'), [
    words(
      '`docvitals check --format json` and `--report json=<file>` write the report as JSON. The GitHub Action writes it too: see its output `report-json`.',
    ),
    block('sh', 'docvitals check https://docs.example.com/ --format json > report.json\njq .verdict report.json'),
    words(
      'The schema is part of the package, as `docvitals/schema/report.json`. A field marked *optional* is absent if it does not apply.',
    ),
    ...objects.flatMap(([name, object]) => [
      `## ${code(name)}`,
      prose(words(object.description ?? '')),
      fieldTable(object, options),
    ]),
  ]);
}
