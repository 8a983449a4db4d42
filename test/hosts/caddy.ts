/** Caddy on a free loopback port, in a folder of its own. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './port.ts';
import { isWanted, untilListening } from './program.ts';

export const caddyWanted = (): boolean => isWanted('caddy', ['version']);

/** Serves `prefix/site`; `block`: the directives of the site. */
export async function startCaddy(prefix: string, block: string) {
  const port = await freePort();
  const text = `{\n  admin off\n  auto_https off\n}\nhttp://127.0.0.1:${port} {\n${block}\n}\n`;
  return { port, stop: await runCaddy(prefix, text, port) };
}

/** Runs Caddy with a whole Caddyfile, which listens on `port`. */
export async function runCaddy(prefix: string, text: string, port: number): Promise<() => Promise<void>> {
  const file = join(prefix, 'Caddyfile');
  writeFileSync(file, text);
  const child = spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: prefix, XDG_DATA_HOME: prefix, XDG_CONFIG_HOME: prefix },
  });
  return untilListening(child, port);
}
