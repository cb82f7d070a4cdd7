/** The field of a form with the person's password. Its name marks it as a secret. */
export const confirmField = "confirmPassword";
