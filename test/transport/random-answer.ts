/** Responses as servers might send them, most of them sound, some wrong in small ways. */
import type { Script } from '../faults/script.ts';
import type { Random } from '../generator/random.ts';

const STATUSES = ['200 OK', '200', '204 No Content', '304 Not Modified', '404 Not Found', '100 Continue', '302 Found'];
const ODD_STARTS = [
  'HTTP/1.0 200 OK',
  'HTTP/1.1  200 OK',
  'http/1.1 200 OK',
  'HTTP/1.1 99 X',
  'HTTP/2 200',
  'SSH-2.0-x',
];
const FIELDS = [
  'Connection: close',
  'Connection: keep-alive',
  'Connection: Upgrade',
  'Keep-Alive: timeout=5',
  'Keep-Alive: timeout=1',
  'Content-Type: text/markdown',
  'X-Odd: \u00e9\t\u00a0 ',
  'X-Empty:',
  'Bad Name: x',
  'no colon',
  ' folded',
  'X-Nul: \0',
  'Content-Encoding: rot13',
  'Upgrade: h2c',
  'Proxy-Connection: close',
  'Trailer: x',
];
const BODIES = ['', 'abc', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx', 'x'.repeat(1500), '\r\n'];

function chunked(body: string, numbers: Random): string {
  const cut = numbers.int(body.length + 1);
  const pieces = [body.slice(0, cut), body.slice(cut)].filter((piece) => piece !== '');
  const size = (piece: string): string => `${piece.length.toString(16)}${numbers.chance(0.05) ? ';x=y' : ''}`;
  const last = numbers.chance(0.9) ? '0\r\n\r\n' : '0\r\nX: y\r\n\r\n';
  return pieces.map((piece) => `${size(piece)}\r\n${piece}\r\n`).join('') + last;
}

/** A response, mostly well formed. Latin-1. */
function response(numbers: Random): string {
  const body = numbers.pick(BODIES);
  const isChunked = numbers.chance(0.3);
  const length = numbers.chance(0.9) ? body.length : body.length + numbers.int(3) - 1;
  const framing = isChunked ? ['Transfer-Encoding: chunked'] : [`Content-Length: ${length}`];
  if (numbers.chance(0.05)) framing.push(numbers.pick([...framing, 'Content-Length: 3', 'Transfer-Encoding: chunked']));
  if (numbers.chance(0.05)) framing.shift();
  const more = numbers.chance(0.6) ? 0 : 1 + numbers.int(3);
  const status = numbers.chance(0.7) ? '200 OK' : numbers.pick(STATUSES);
  const start = numbers.chance(0.93) ? `HTTP/1.1 ${status}` : numbers.pick(ODD_STARTS);
  const head = [start, ...framing, ...numbers.shuffled(FIELDS).slice(0, more), '', ''];
  return head.join(numbers.chance(0.95) ? '\r\n' : '\n') + (isChunked ? chunked(body, numbers) : body);
}

/** How a server may answer a request: with a response, perhaps cut off or with more than one, and how it goes on then. */
export function randomAnswer(numbers: Random): Script {
  const whole = response(numbers);
  const cut = numbers.chance(0.1) ? whole.slice(0, numbers.int(whole.length)) : whole;
  const surplus = numbers.chance(0.05) ? numbers.pick(['x', '\r\n', 'HTTP/1.1 200 OK\r\n\r\n']) : '';
  const bytes = Buffer.from(cut + surplus, 'latin1');
  // What comes after the end of a response, and later, is an idle connection's matter.
  const at = numbers.chance(0.3) ? 1 + numbers.int(Math.max(1, whole.length - 1)) : bytes.length;
  const parts = [bytes.subarray(0, at), bytes.subarray(at)].filter(({ length }) => length > 0);
  const sent = parts.flatMap((send): Script => [{ send }, { waitMs: 10 }]);
  return [...sent, numbers.pick(['end', 'end', 'reset', 'hold', 'hold'] as const)];
}
