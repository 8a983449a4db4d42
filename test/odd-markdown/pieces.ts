/** What odd Markdown is made of. */

/** Pieces, divided by `¦`. */
function list(...parts: readonly string[]): readonly string[] {
  return parts.flatMap((part) => part.split('¦'));
}

export const WORDS = list('a¦b¦C¦d e¦é¦😀¦ß¦1¦x_y¦“f”¦\u00a0¦\u2003¦$¦.¦,¦!¦:¦^¦¦-');
export const MARKS = list('*¦**¦***¦_¦__¦`¦``¦[¦]¦(¦)¦![¦](¦][¦<¦>¦\\¦&¦|¦~¦#¦=¦+¦"¦\'¦{¦}¦--¦://¦;');
export const LABELS = list('x¦X¦y z¦y\nz¦^1¦ß¦SS¦a*b¦[c]¦d\\]¦ e ¦¦`f`');

/** Between two spans. */
export const GAPS = list(' ¦ ¦ ¦¦¦  ¦\t¦ \t¦\n¦\n¦\n ¦\n\t¦\n    ¦  \n¦\\\n¦\n> ¦\n- ¦\r\n');

export const URLS = list(
  'c.md¦/d¦<e f>¦<>¦¦g(h)¦i\\)¦j&amp;k¦http://l.m/n_o_p¦#é¦{id}',
  'q "r"¦s \'t\'¦u (v)¦w\n"x"¦y "z¦a "b" c',
);

export const TAGS = list(
  '<b>¦</b>¦<br/>¦<a href="c">¦<img src=\'d\'\n alt=e>¦<i j=k/>¦<div>¦</div >¦<l:m>¦<p q',
  '<!-- f -->¦<!-- g¦-->¦<!---->¦<!-->¦<?r?>¦<!S>¦<t-u>¦<code>¦<a b="c"d>¦<A\nB>',
);

export const ENTITIES = list(
  '&amp;¦&lt;¦&#42;¦&#x5b;¦&copy;¦&copy¦&nbsp;¦&#32;¦&#10;¦&colon;¦&sol;¦&#47;¦&boxbox;¦&;¦&#;¦&#0;',
  '\\*¦\\[¦\\]¦\\\\¦\\`¦\\<¦\\a¦\\|¦\\!¦\\&',
);

export const AUTOLINKS = list(
  '<http://a.b/c>¦<mailto:d@e.f>¦<g@h.i>¦<j:k>¦<lm:n o>¦<http://w.x¦http://¦HTTP://u.v,',
  'https://a.b/c_d_e¦http://f.g/h*i*¦(https://j.k)¦https\\://l¦http://m.{n}¦https://y.z<br>',
  'https://o.p/q?r=s&amp;t¦https://a.b\\_c',
);

/** Lines that mean something, or the beginnings of some. */
export const LINES = list(
  '# ¦## a ##¦---¦***¦===¦=¦- - -¦```¦```js¦~~~¦````¦    ¦|-|¦| - | :-: |¦-|-¦:-¦a | b¦|',
  "<div>\n¦<pre>\n¦</pre>¦<script>¦1.¦-¦+¦[x]: /u¦[x]:\n¦[y z]: <v> 'w'¦[^1]: a",
);

/** What a quote or a list item begins with. */
export const CONTAINERS = list(
  '> ¦> ¦>¦>  ¦>\t¦   > ¦- ¦- ¦-  ¦-\t¦* ¦+ ¦-     ¦-\n  ¦- [ ] ¦   - ¦1. ¦1) ¦2. ¦10. ¦ 1.  ',
);

export const INDENTS = list('¦¦¦¦¦ ¦  ¦   ¦    ¦     ¦\t¦ \t¦  \t');
export const LINE_ENDS = list('\n¦\n¦\n¦\n\n¦\n\n¦\n \n¦\n\t\n¦\n\n\n¦\n  \n¦');
