/** The longest time a timer can wait, in milliseconds. One that is set to wait longer fires at once. */
export const LONGEST_DELAY = 2_147_483_647;
