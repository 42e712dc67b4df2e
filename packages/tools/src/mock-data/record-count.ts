/** How many records there are unless a call says so, and at most. */
export const RECORD_COUNT = { default: 10, most: 100 } as const;
