// What knows the width of every character. CommonJS, so that it can be loaded within a call: its tables take longer to
// build than a site takes to answer, and hardly any text needs them.
const { default: stringWidth } = require('string-width') as typeof import('string-width');
const { default: wrapAnsi } = require('wrap-ansi') as typeof import('wrap-ansi');

module.exports = { stringWidth, wrapAnsi };
