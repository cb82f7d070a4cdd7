/** The name of a card's checkbox; one that is not ticked sends nothing. */
export const pickPrefix = "pick:";
