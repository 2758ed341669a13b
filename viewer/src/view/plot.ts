/* What all plots have in common: axes in the page's colours, redrawn when these change. */

import uPlot from 'uplot';
import { color } from './theme';

const FONT = '11px system-ui, sans-serif';

export const AXIS_WIDTH = 58;
export const RIGHT = 10;

export function axis(more: Partial<uPlot.Axis>): uPlot.Axis {
	return {
		stroke: () => color('muted'),
		font: FONT,
		grid: { stroke: () => color('grid'), width: 1 },
		ticks: { show: false },
		gap: 4,
		...more,
	};
}

/* A colour of the style sheet with some transparency, "#rrggbb" there. */
export const veil = (name: string, alpha: number): string =>
	color(name) + Math.round(alpha * 255).toString(16).padStart(2, '0');

/* Without a `width` it is measured, which lays the page out. */
export function makePlot(node: HTMLElement, options: Partial<uPlot.Options> & { height: number },
	data: uPlot.AlignedData): uPlot {
	return new uPlot({
		width: options.width ?? Math.max(node.clientWidth, 50),
		padding: [6, RIGHT, 7, 0],
		legend: { show: false },
		cursor: { show: false },
		...options,
	} as uPlot.Options, data, node);
}
