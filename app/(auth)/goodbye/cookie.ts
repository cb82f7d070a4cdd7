/** In the browser that has just deleted an account: only there the words of the page are true. */
export const goodbyeCookie = "gateway-goodbye";
