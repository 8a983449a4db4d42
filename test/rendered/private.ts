/** Addresses that pages of the tests' site on loopback may not reach: the cloud's metadata and private networks are not as near. */
export const PRIVATE = ['169.254.169.254', '10.0.0.1', '[fd00::1]'];

/** Scripts of a page that reaches for them. */
export const reachingPrivate = PRIVATE.map((host) => `<script src="http://${host}/x.js"></script>`).join('');
