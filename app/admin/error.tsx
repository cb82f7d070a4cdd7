"use client";

import { Failure } from "../_components/failure";

interface ErrorPageProps {
  error: Error & { digest?: string };
  reset: () => void;
}

export default function AdminError({ error, reset }: ErrorPageProps) {
  return <Failure reference={error.digest} retry={reset} />;
}
