// What knows the width of every character. CommonJS, so that it can be loaded within a call: its tables take longer to
// build than a site takes to answer, and hardly any text needs them.
module.exports = { stringWidth: require('string-width').default, wrapAnsi: require('wrap-ansi').default };
