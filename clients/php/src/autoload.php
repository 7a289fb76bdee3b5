<?php

// For programs without Composer, which have loaded the interfaces of PSR-7, PSR-17 and PSR-18 themselves.

declare(strict_types=1);

spl_autoload_register(static function (string $class): void {
    $prefix = 'Switchboard\\Client\\';
    if (str_starts_with($class, $prefix)) {
        $file = __DIR__ . '/' . strtr(substr($class, strlen($prefix)), '\\', '/') . '.php';
        if (is_file($file)) {
            require $file;
        }
    }
});
