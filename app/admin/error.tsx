"use client";

export { Failure as default } from "../_components/states/failure";
