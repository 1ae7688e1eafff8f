// Command kube is Kubernetes in one file: its first argument says which part of it to be.
//
// One program with all four parts is linked once and shares what they have in common.
package main

import (
	"context"
	"log"
	"os"

	"github.com/spf13/cobra"
	"k8s.io/component-base/cli"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllers "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
)

func part(name string) *cobra.Command {
	switch name {
	case "apiserver":
		return apiserver.NewAPIServerCommand()
	case "controller-manager":
		return controllers.NewControllerManagerCommand()
	case "scheduler":
		return scheduler.NewSchedulerCommand()
	case "kubelet":
		return kubelet.NewKubeletCommand(context.Background())
	}
	log.Fatalf("no part of Kubernetes is called %q", name)
	return nil
}

func main() {
	if len(os.Args) < 2 {
		log.Fatal("say which part to be: apiserver, controller-manager, scheduler or kubelet")
	}
	command := part(os.Args[1])
	// The kubelet reads its options from os.Args itself.
	os.Args = append(os.Args[:1], os.Args[2:]...)
	os.Exit(cli.Run(command))
}
