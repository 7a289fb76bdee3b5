<?php

declare(strict_types=1);

namespace Switchboard\Client;

/** An answer that is a file. */
final class FileContent
{
    public function __construct(
        public readonly string $bytes,
        public readonly string $contentType,
    ) {
    }
}
