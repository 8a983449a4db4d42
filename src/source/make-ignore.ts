/** The rules of `.gitignore` files. Loaded where a folder has one. */
export { default as makeIgnore } from 'ignore';
