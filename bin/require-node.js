// Loaded before everything else, so it must parse on any Node that knows ES modules: no newer syntax here.
// Says in one line when the Node that runs is too old, and exits 2.

// As `engines` in package.json says; reading it would take longer than all the rest of this.
var wanted = [22, 19];
var actual = process.versions.node.split('.').map(Number);

if (actual[0] < wanted[0] || (actual[0] === wanted[0] && actual[1] < wanted[1])) {
  console.error(
    'docvitals needs Node ' +
      wanted.join('.') +
      ' or newer; this is Node ' +
      process.versions.node +
      '. Install a newer Node (https://nodejs.org/) and run it again.',
  );
  process.exit(2);
}
