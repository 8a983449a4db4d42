/** The Dockerfile and the Compose file. */
import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { at, documentsOf, textOf } from './files.ts';

const TEXT = textOf('docker/Dockerfile');
const dockerfile = DockerfileParser.parse(TEXT);

/** The arguments of the last instruction of that name. */
function argumentsOf(keyword: string): string {
  return (
    dockerfile
      .getInstructions()
      .findLast((one) => one.getKeyword() === keyword)
      ?.getArgumentsContent() ?? ''
  );
}

describe('the Dockerfile', () => {
  it('has no mistakes', () => {
    expect(validate(TEXT).map(({ code, range }) => ({ code, line: range.start.line + 1 }))).toEqual([]);
  });

  it('builds on what docvitals needs', () => {
    expect(dockerfile.getFROMs().map((from) => from.getImage())).toEqual(['node:24-slim']);
  });

  it('runs as the user by a number that is not root', () => {
    expect(argumentsOf('USER')).toBe('1000:1000');
  });

  it('keeps its database in the volume', () => {
    const [volume = ''] = JSON.parse(argumentsOf('VOLUME')) as string[];
    const command = JSON.parse(argumentsOf('CMD')) as string[];
    expect(command[command.indexOf('--database') + 1]).toBe(`${volume}/docvitals.db`);
  });

  it('listens on the port that it exposes, and that its health is asked on', () => {
    const command = JSON.parse(argumentsOf('CMD')) as string[];
    const [, port = ''] = /:(\d+)$/.exec(command[command.indexOf('--listen') + 1] ?? '') ?? [];
    expect([argumentsOf('EXPOSE'), argumentsOf('HEALTHCHECK')]).toEqual([
      port,
      expect.stringContaining(`:${port}/healthz`),
    ]);
  });
});

describe('the Compose file', () => {
  const service = at(documentsOf('docker/compose.yaml')[0], 'services', 'docvitals');

  it('mounts what the image reads and writes', () => {
    const volumes = at(service, 'volumes') as readonly string[];
    expect(volumes.map((volume) => volume.split(':')[1])).toEqual(['/etc/docvitals', '/var/lib/docvitals']);
    expect(Object.keys(at(documentsOf('docker/compose.yaml')[0], 'volumes') as object)).toEqual(['database']);
  });

  it('is for this machine only', () => {
    expect(at(service, 'ports')).toEqual(['127.0.0.1:9464:9464']);
  });
});
