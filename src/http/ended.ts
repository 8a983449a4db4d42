/** Why a request or a run ended early. */
export class Ended extends Error {
  readonly by: 'timeout' | 'deadline' | 'interrupt';
  readonly limitMs: number | null;

  constructor(by: Ended['by'], limitMs: number | null = null) {
    super(by);
    this.by = by;
    this.limitMs = limitMs;
  }
}
