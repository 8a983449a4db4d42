/** A mistake in what is being built, not in the build: its message says all, so no stack is printed. */
export class BuildError extends Error {
  override readonly name = 'BuildError';
}
