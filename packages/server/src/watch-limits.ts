/** How many single resources one caller, or one stream, may watch. */
export const MAX_WATCHED = 1000;
/** How many characters the address of one may have. */
export const MAX_URI_LENGTH = 4096;
