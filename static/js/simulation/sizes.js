/** In pixels at 1:1: an iteration is one column, a mark is so high, and its label stands above it. */
export const COLUMN = 10;
export const MARK = 14;
export const MARKS_TOP = 15;
export const LANE = 34;
