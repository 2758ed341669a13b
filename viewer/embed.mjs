/* A file as C: node embed.mjs FROM TO. */

import { readFileSync, writeFileSync } from 'node:fs';

const PER_LINE = 32;
const [from, to] = process.argv.slice(2), bytes = readFileSync(from), lines = [];
for (let i = 0; i < bytes.length; i += PER_LINE)
	lines.push(`\t${[...bytes.subarray(i, i + PER_LINE)].join(',')},`);
writeFileSync(to, `#include <stddef.h>

extern const unsigned char page_html[];
extern const size_t page_html_len;

const unsigned char page_html[] = {
${lines.join('\n')}
};
const size_t page_html_len = sizeof(page_html);
`);
