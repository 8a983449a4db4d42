// CommonJS, so that it can be loaded within a call: most outputs have no colours, and it looks at all that a terminal may
// be when it is loaded.
const { Chalk } = require('chalk') as typeof import('chalk');

module.exports = { Chalk };
